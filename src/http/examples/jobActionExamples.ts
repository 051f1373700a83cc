import type { fileContract } from '../contract/fileContract.ts';
import type { bulkContract, jobActionContract } from '../contract/jobActionContract.ts';
import type { Examples } from './example.ts';
import { changedJob } from './jobExamples.ts';

export const jobActionExamples: Examples<typeof jobActionContract> = {
  'POST /jobs/{job}/pause': {
    path: '/jobs/report/pause',
    body: { until: '2h' },
    answer: changedJob(5, null),
  },
  'POST /jobs/{job}/resume': { path: '/jobs/report/resume', answer: changedJob(6) },
  'POST /jobs/{job}/go-live': { path: '/jobs/report/go-live', answer: changedJob(7) },
  'POST /jobs/{job}/run': {
    path: '/jobs/report/run',
    body: { requestId: 'report-1' },
    answer: { job: 'report', jobId: 1, requestId: 'report-1', isNew: true },
  },
  'POST /jobs/{job}/skip-next': {
    path: '/jobs/report/skip-next',
    body: { count: 1 },
    answer: {
      job: 'report',
      skipped: [
        {
          ...{ nodeName: '', ticks: ['2030-01-31T01:30:00.000Z'] },
          next: '2030-02-01T01:30:00.000Z',
        },
      ],
    },
  },
  'POST /jobs/{job}/backfill': {
    path: '/jobs/report/backfill',
    body: { from: '2026-01-01T00:00:00Z', to: '2026-01-03T00:00:00Z', dryRun: true },
    answer: {
      ...{ job: 'report', requestId: 'backfill:1767225600000-1767398400000', dryRun: true },
      ticks: ['2026-01-01T01:30:00.000Z', '2026-01-02T01:30:00.000Z'],
      added: ['2026-01-01T01:30:00.000Z', '2026-01-02T01:30:00.000Z'],
    },
  },
};

export const bulkExamples: Examples<typeof bulkContract> = {
  'POST /bulk/jobs': {
    path: '/bulk/jobs',
    body: { action: 'pause', filter: { group: ['finance'] }, dryRun: true },
    answer: {
      ...{ action: 'pause', dryRun: true, matched: 1, left: 0, next: null, requestId: null },
      jobs: [{ job: 'report', outcome: 'matched', detail: null }],
    },
  },
};

const file = `group: finance
jobs:
  report:
    cron: 0 4 * * *
    command: echo report ready
`;

const plan = {
  format: 'yaml',
  ...{ dryRun: true, added: 0, edited: 1, unchanged: 0, removed: 0 },
  warnings: [],
  plan: [
    {
      action: 'edit',
      ...{ job: 'report', group: 'finance', changes: ['cron'] },
      diff: [{ field: 'cron', before: '0 3 * * *', after: '0 4 * * *' }],
    },
  ],
} as const;

export const fileExamples: Examples<typeof fileContract> = {
  'POST /plan': { path: '/plan', file, answer: plan },
  'POST /apply': { path: '/apply', file, answer: { ...plan, dryRun: false } },
};
