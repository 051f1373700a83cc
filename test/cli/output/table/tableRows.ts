import { jobDefaults } from '../../../../src/domain/job/jobDefinition.ts';

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];
export const rowsMadeMs = Date.now();
/** Times are so long ago, or so far away, that the texts stay the same for half a minute. */
const at = (awayMs: number): string => new Date(rowsMadeMs + awayMs).toISOString();

interface JobRow {
  readonly name: string;
  readonly schedule: string;
  readonly timezone?: string;
  readonly command: string;
  readonly more?: object;
}

function jobOf({ name, schedule, timezone = 'UTC', command, more = {} }: JobRow) {
  return {
    ...{ job: name, jobId: 1, group: 'default', tags: [], kind: 'single', moreSchedules: [] },
    ...{ schedule, timezone, command, description: null, revision: 1, resumeAt: null },
    ...{ paused: false, observed: false, prepared: 0, executing: 0, state: 'idle' },
    lastDurationMs: 1_500,
    ...{ next: at(30 * minute), lastResult: 'succeeded', lastEndedAt: at(-5 * hour) },
    definition: { ...jobDefaults, name, schedule, timezone, command },
    ...more,
  };
}

const neverRan = { lastResult: null, lastEndedAt: null, lastDurationMs: null };
const [nightly, long] = ['30 2 * * *', 'a-job-with-a-name-that-is-long'];
const jobs = [
  jobOf({
    name: 'backup',
    schedule: nightly,
    timezone: 'Europe/Berlin',
    command: 'backup.sh /srv',
  }),
  jobOf({
    ...{ name: long, schedule: '*/5 9-17 * * MON-FRI', timezone: 'America/New_York' },
    command: 'cd /srv/reports && ./make-report --month "$(date +%m)" --mail ops@example.com',
    more: { state: 'running', moreSchedules: ['@every 90s'], lastResult: 'failed' },
  }),
  jobOf({
    name: '日次集計',
    schedule: '@hourly',
    command: 'tally\tdaily',
    more: { state: 'cannot_run', next: at(-5 * minute) },
  }),
  jobOf({
    ...{ name: 'resting', schedule: '@manual', command: 'true' },
    more: { ...{ paused: true, state: 'paused', next: null }, ...neverRan },
  }),
  jobOf({ name: 'seen', schedule: '0 0 1 1 *', command: 'true', more: { state: 'observed' } }),
];

function runOf(job: string, runId: number, more: object) {
  return {
    ...{ job, group: 'default', runId, nodeName: '', slotNo: 0, attempt: 1, trigger: 'schedule' },
    ...{ launchId: `s8e573fa07668fe8a3b0440d9:${runId}`, exitCode: 0, signal: null },
    ...{ scheduledFor: at(-5 * hour), startedAt: at(-5 * hour), endedAt: at(-5 * hour + 1_500) },
    ...{ node: 'web1', outputBytes: 13, scheduledUntil: null, ticks: 1, reason: null },
    ...{ isFinal: true, requestId: null, revision: 1, result: 'succeeded' },
    ...more,
  };
}

const never = { launchId: null, startedAt: null, node: null, exitCode: null };
const noNode = 'no node was live that may run the job, or none had a place free for it';
const runs = [
  runOf('backup', 14, { trigger: 'retry', attempt: 2 }),
  runOf(long, 13, { result: 'failed', exitCode: 3, node: 'database-replica-2' }),
  runOf(long, 12, { result: 'failed', exitCode: null, signal: 'SIGKILL' }),
  runOf('日次集計', 11, { ...never, result: 'missed', ticks: 48, reason: noNode }),
  runOf('removed', 10, { result: 'timed_out', exitCode: null, signal: 'SIGTERM' }),
];

const live = { state: 'live', renewedAgoMs: 1_600, endedWhy: null, endedAt: null };
const session = {
  ...{ sessionId: 's8e573fa07668fe8a3b0440d9', node: 'web1', host: 'web1', ...live },
  ...{ processId: 4_321, guardianProcessId: 4_310, version: '0.6.0', timezoneData: '2025b' },
  ...{ capacity: 2_000, concurrency: 16, level: 1, labels: [], users: [], definitionFormat: 5 },
  ...{ isDraining: false, cordon: null, ttlMs: 45_000, prepared: 0, executing: 0 },
  ...{ startedAt: at(-3 * day), stripes: Array.from({ length: 32 }, (_, no) => no), share: 0.5 },
};
const cluster = {
  ...{ now: at(0), jobs: 5, overdue: 0, unrunnable: { jobs: 0, names: [] }, warnings: [] },
  sessions: [
    session,
    {
      ...{ ...session, node: 'database-replica-2', host: 'db2.example', level: 2 },
      ...{ labels: ['disk=ssd', 'zone=eu-central-1'], prepared: 12, executing: 7 },
    },
    {
      ...session,
      node: 'web3',
      isDraining: true,
      capacity: 50,
      executing: 1,
      stripes: [],
      share: 0,
    },
    {
      ...{ ...session, node: 'web5', isDraining: true, stripes: [], share: 0 },
      cordon: { since: at(-10 * minute), by: 'deploy@web1', note: 'kernel upgrade' },
    },
    {
      ...{ ...session, node: 'web4', state: 'ended', stripes: [], share: 0 },
      ...{ endedAt: at(-10 * minute - second), endedWhy: 'its heartbeat stood still' },
    },
  ],
};

const kept = 'the job is for on-label disk=ssd or on-group databases';
function checkOf(check: string, state: string, text: string, reason: string | null = null) {
  return { check, state, text, reason, link: null, hint: null };
}
const nowhere =
  'No live node may run it: its ticks wait, and are run or recorded as missed once one may.';
const why = {
  ...{ job: 'backup', jobId: 1, revision: 1, group: 'default', timezone: 'Europe/Berlin' },
  ...{ now: at(0), state: 'cannot_run', because: 'nodes', text: nowhere },
  checks: [
    checkOf('exists', 'passed', `Its revision 1 is in force since ${at(-3 * day)}.`),
    checkOf('paused', 'passed', 'It is not paused.'),
    checkOf(
      'overlap',
      'unknown',
      `A run is under way since ${at(-3 * hour)}: a tick that comes
      before its end is skipped (overlap: skip).`.replace(/\s+/g, ' '),
    ),
    checkOf('nodes', 'failed', nowhere, noNode),
  ],
  nodes: [
    { node: 'database-replica-2', level: 2, may: true, keptBy: [] },
    {
      ...{ node: 'web1', level: 1, may: false },
      keptBy: [
        { by: 'target', text: kept },
        { by: 'draining', text: 'it is draining' },
      ],
    },
    { node: '日次', level: null, may: false, keptBy: [{ by: 'away', text: 'it is not live' }] },
  ],
  nodesLeftOut: 3,
  next: [{ tick: at(30 * minute), startsAt: at(30 * minute) }],
  last: {
    ...{ runId: 11, launchId: null, node: null, trigger: 'schedule', result: 'missed' },
    ...{ reason: noNode, scheduledFor: at(-5 * hour), startedAt: null, endedAt: at(-5 * hour) },
  },
};

const audited = (command: string) => ({
  definition: {
    ...jobDefaults,
    name: 'backup',
    schedule: nightly,
    timezone: 'UTC',
    command,
    env: {},
  },
  isPaused: false,
});
const audit = [
  {
    ...{ auditId: 1, at: at(-5 * hour), actor: 'anna', via: 'token', address: '192.0.2.7' },
    ...{ action: 'job.edit', target: 'backup', requestId: '0f8b2c54-6a3e-4d1b-9c7a-5e2f1d0c4b3a' },
    ...{ before: audited('/usr/local/bin/backup'), after: audited('/usr/local/bin/backup --full') },
    changes: [],
  },
];

/** What a node answers, with times that are so far away from now. */
export const tableRows = { audit, jobs, runs, cluster, why };
