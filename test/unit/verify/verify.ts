import type { JobPolicies } from '../../../src/domain/job/jobPolicies.ts';
import { JobVerifier } from '../../../src/domain/verify/jobVerifier.ts';
import { FindingLog } from '../../../src/domain/verify/rules/finding.ts';
import type {
  JobRecord,
  PendingRecord,
  RevisionRecord,
  RunRecord,
  SlotRecord,
} from '../../../src/domain/verify/rules/records.ts';

const minute = 60_000;
const start = Date.UTC(2026, 0, 1);
export const at = (minutes: number): number => start + minutes * minute;

/** A job of each minute, whose rows a test writes; the clock stands at minute 10. */
interface Told {
  readonly policies?: JobPolicies;
  readonly revisions?: readonly Partial<RevisionRecord>[];
  readonly runs: readonly Partial<RunRecord>[];
  readonly slots?: readonly Partial<SlotRecord>[];
  readonly pending?: readonly Partial<PendingRecord>[];
  readonly job?: Partial<JobRecord>;
}

/** The findings, each with its code before a colon. */
export function verify(told: Told): string[] {
  const { policies = {}, runs, pending = [] } = told;
  const revisions = (told.revisions ?? [{}]).map((more, place): RevisionRecord => {
    const definition = { name: 'x', schedule: '* * * * *', timezone: 'UTC', ...policies };
    const same = { jobId: 1, revision: place + 1, isPaused: false, isLeftToFinish: false };
    return { ...same, definition, fromMs: at(1), untilMs: null, ...more };
  });
  const job: JobRecord = {
    jobId: 1,
    name: 'x',
    revision: revisions.length,
    isPaused: revisions.at(-1)?.isPaused ?? false,
    isRemoved: false,
    historyFromMs: null,
    ...told.job,
  };
  const log = new FindingLog();
  const slots = (told.slots ?? [{ cursorMs: at(11) }]).map(slotOf);
  const records = { job, revisions, slots, pending: pending.map(pendingOf) };
  const scope = {
    nowMs: at(10) + 30_000,
    sinceMs: -Infinity,
    clockSlackMs: 0,
    reaperSinceMs: null,
  };
  const verifier = new JobVerifier(records, scope, log);
  const session = {
    sessionId: 's',
    nodeName: 'a',
    isLive: true,
    ttlMs: 45_000,
    startedMs: at(0),
    renewedMs: at(10),
    endedMs: null,
    reapedMs: null,
  };
  const rows = runs.map(rowOf).sort((a, b) => a.endedMs - b.endedMs || a.runId - b.runId);
  for (const row of rows) verifier.takeRun(row, row.sessionId === null ? null : session);
  verifier.finish();
  return log.findings.map(({ code, message }) => `${code}: ${message}`);
}

function rowOf(more: Partial<RunRecord>, place: number): RunRecord {
  const tickMs = more.scheduledForMs ?? at(1);
  const hasStart = more.startedMs !== null;
  const startedMs = hasStart ? (more.startedMs ?? tickMs) : null;
  return {
    runId: place + 1,
    revision: 1,
    nodeName: '',
    slotNo: 0,
    launchId: hasStart ? `s:${place + 1}` : null,
    sessionId: hasStart ? 's' : null,
    trigger: 'schedule',
    requestId: null,
    attempt: 1,
    isFinal: true,
    scheduledForMs: tickMs,
    scheduledUntilMs: hasStart ? null : tickMs,
    ticks: 1,
    endedMs: (startedMs ?? tickMs) + 1_000,
    result: hasStart ? 'succeeded' : 'skipped',
    reason: hasStart ? null : 'the last run was still going',
    ...more,
    startedMs,
  };
}

function slotOf(more: Partial<SlotRecord>, place: number): SlotRecord {
  const held = { launchId: null, sessionId: null, scheduledForMs: null, startedMs: null };
  return {
    nodeName: '',
    slotNo: place,
    stripe: 1,
    state: 'idle',
    cursorMs: null,
    revision: null,
    trigger: null,
    attempt: null,
    requestId: null,
    ...held,
    createdMs: null,
    session: null,
    recorded: null,
    nextRunMs: more.cursorMs ?? null,
    ...more,
  };
}

function pendingOf(more: Partial<PendingRecord>): PendingRecord {
  const why = { nodeName: '', trigger: 'queue', attempt: 1, requestId: '' };
  return { scheduledForMs: at(10), notBeforeMs: at(11), ...why, ...more };
}

/** A run for each of the minutes. */
export function minutes(
  from: number,
  until: number,
  more: Partial<RunRecord> = {},
): Partial<RunRecord>[] {
  return Array.from({ length: until - from + 1 }, (_, place) => ({
    scheduledForMs: at(from + place),
    ...more,
  }));
}
