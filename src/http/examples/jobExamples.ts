import type { jobContract } from '../contract/jobContract.ts';
import type { revisionContract, scheduleContract } from '../contract/revisionContract.ts';
import type { Examples } from './example.ts';

const definition = {
  ...{ name: 'report', schedule: '30 2 * * *', timezone: 'Europe/Berlin', group: 'finance' },
  ...{ command: 'echo report ready', env: {}, cwd: null, stdin: null, timeoutMs: null },
  ...{ graceMs: 5_000, leftovers: 'kill', outputBytesMax: 65_536, format: 3 },
};

const revision = {
  ...{ revision: 1, paused: false, reason: null },
  inForceFrom: '2030-01-30T14:05:09.137Z',
  inForceUntil: null,
  definition,
};

const listed = {
  ...{ job: 'report', jobId: 1, group: 'finance', tags: [] },
  kind: 'single',
  ...{ schedule: '30 2 * * *', moreSchedules: [], timezone: 'Europe/Berlin' },
  ...{ command: 'echo report ready', description: null },
  state: 'idle',
  ...{ paused: false, observed: false, resumeAt: null },
  ...{ revision: 1, inForceFrom: '2030-01-30T14:05:09.137Z' },
  ...{ next: '2030-02-01T01:30:00.000Z', prepared: 0, executing: 0 },
  lastResult: 'succeeded',
  lastEndedAt: '2030-01-31T01:30:01.622Z',
  lastDurationMs: 1_507,
  stats: {
    recent: [
      {
        runId: 31,
        result: 'succeeded',
        endedAt: '2030-01-31T01:30:01.622Z',
        durationMs: 1_507,
      },
    ],
    ...{ durationP50Ms: 1_507, durationP95Ms: 1_507 },
  },
} as const;

const slot = {
  ...{ nodeName: '', slotNo: 0, stripe: 1, trigger: null },
  state: 'idle',
  ...{ launchId: null, node: null, stopping: false },
  nextRunAt: '2030-01-31T01:30:00.000Z',
  cursorAt: '2030-01-31T01:30:00.000Z',
  ...{ scheduledFor: null, startedAt: null },
} as const;

const why = {
  ...{ job: 'report', jobId: 1, revision: 1, group: 'finance', timezone: 'Europe/Berlin' },
  now: '2030-01-30T14:05:12.486Z',
  state: 'paused',
  because: 'paused',
  text: 'It is paused until it is resumed.',
  checks: [
    {
      check: 'paused',
      state: 'failed',
      text: 'It is paused until it is resumed.',
      ...{ reason: 'the job was paused', link: '/api/v1/jobs/report/revisions/1' },
      hint: 'statecron job resume report',
    },
  ],
  nodes: [
    { node: 'web1', level: 1, may: true, keptBy: [] },
    { node: 'web2', level: 1, may: false, keptBy: [{ by: 'draining', text: 'it is draining' }] },
  ],
  nodesLeftOut: 0,
  mutes: [],
  next: [],
  last: null,
} as const;

/** What each change of a job answers. */
export function changedJob(number: number, next: string | null = '2030-01-31T01:30:00.000Z') {
  return {
    ...{ job: 'report', jobId: 1, changed: true, revision: number },
    inForceFrom: '2030-01-30T14:20:41.850Z',
    ...{ next, executing: 0, warnings: [] },
  };
}

export const jobExamples: Examples<typeof jobContract> = {
  'GET /jobs': { path: '/jobs?limit=2&stats=true', answer: { items: [listed], next: null } },
  'POST /jobs': {
    path: '/jobs',
    body: {
      ...{ name: 'report', cron: '30 2 * * *', timezone: 'Europe/Berlin' },
      ...{ command: 'echo report ready', group: 'finance' },
    },
    answer: {
      ...{ job: 'report', jobId: 1, revision: 1, timezone: 'Europe/Berlin' },
      inForceFrom: '2030-01-30T14:05:09.137Z',
      ...{ next: '2030-01-31T01:30:00.000Z', warnings: [] },
    },
  },
  'GET /jobs/{job}': {
    path: '/jobs/report',
    answer: {
      ...{ job: 'report', jobId: 1, revision: 1, group: 'finance', paused: false },
      ...{ resumeAt: null, pause: null, createdAt: '2030-01-30T14:05:09.113Z' },
      now: '2030-01-30T14:05:12.486Z',
      fields: {
        ...{ cron: ['30 2 * * *'], command: 'echo report ready' },
        ...{ timezone: 'Europe/Berlin', group: 'finance' },
      },
      definition,
      next: ['2030-01-31T01:30:00.000Z', '2030-02-01T01:30:00.000Z'],
      ...{ pending: 0, mayRunOn: ['web1', 'web2'], mutes: [] },
      ...{ slots: [slot], revisions: [revision] },
    },
  },
  'GET /jobs/{job}/why': { path: '/jobs/report/why', answer: why },
  'GET /jobs/{job}/chain': {
    path: '/jobs/report/chain',
    answer: {
      ...{ job: 'report', jobId: 1 },
      upstreams: { items: [], left: 0 },
      followers: {
        items: [
          {
            ...{ job: 'send report', group: 'finance', by: 'report', on: 'success' },
            state: 'idle',
            ...{ lastRunId: 32, lastResult: 'succeeded', lastEndedAt: '2030-01-31T01:30:03.204Z' },
            left: 0,
          },
        ],
        left: 0,
      },
    },
  },
  'PUT /jobs/{job}': {
    path: '/jobs/report',
    headers: { 'If-Match': '*' },
    body: {
      ...{ cron: '0 3 * * *', timezone: 'Europe/Berlin' },
      ...{ command: 'echo report ready', group: 'finance' },
    },
    answer: changedJob(2, '2030-01-31T02:00:00.000Z'),
  },
  'PATCH /jobs/{job}': {
    path: '/jobs/report',
    headers: { 'If-Match': '*' },
    body: { timeout: '30m', tag: ['nightly'] },
    answer: changedJob(3, '2030-01-31T02:00:00.000Z'),
  },
  'DELETE /jobs/{job}': { path: '/jobs/report', answer: changedJob(7, null) },
};

export const revisionExamples: Examples<typeof revisionContract> = {
  'GET /jobs/{job}/revisions': {
    path: '/jobs/report/revisions?limit=1',
    answer: { items: [revision], next: null },
  },
  'GET /jobs/{job}/revisions/{revision}': {
    path: '/jobs/report/revisions/1',
    answer: revision,
  },
  'GET /jobs/{job}/revisions/{revision}/diff': {
    path: '/jobs/report/revisions/2/diff',
    answer: {
      ...{ job: 'report', from: 1, to: 2, paused: { before: false, after: false } },
      changes: [{ field: 'cron', before: '30 2 * * *', after: '0 3 * * *' }],
    },
  },
  'POST /jobs/{job}/rollback': {
    path: '/jobs/report/rollback',
    body: { revision: 1 },
    answer: changedJob(4),
  },
  'GET /jobs/{job}/next': {
    path: '/jobs/report/next?count=2',
    answer: { next: ['2030-01-31T01:30:00.000Z', '2030-02-01T01:30:00.000Z'] },
  },
};

export const scheduleExamples: Examples<typeof scheduleContract> = {
  'POST /schedule/preview': {
    path: '/schedule/preview',
    body: {
      ...{ cron: '30 2 * * *', timezone: 'Europe/Berlin' },
      ...{ from: '2030-03-30T00:00:00Z', count: 3 },
    },
    answer: {
      next: ['2030-03-30T01:30:00.000Z', '2030-03-31T01:00:00.000Z', '2030-04-01T00:30:00.000Z'],
      marks: { '2030-03-31T01:00:00.000Z': 'shifted' },
      sentence: 'At 02:30 (Europe/Berlin)',
      zones: [
        {
          timezone: 'Europe/Berlin',
          next: [
            ...['2030-03-30T02:30:00+01:00', '2030-03-31T03:00:00+02:00'],
            '2030-04-01T02:30:00+02:00',
          ],
        },
        {
          timezone: 'UTC',
          next: [
            ...['2030-03-30T01:30:00+00:00', '2030-03-31T01:00:00+00:00'],
            '2030-04-01T00:30:00+00:00',
          ],
        },
      ],
    },
  },
};
