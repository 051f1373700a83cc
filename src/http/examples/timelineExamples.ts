import type { timelineContract } from '../contract/timelineContract.ts';
import type { Examples } from './example.ts';

export const timelineExamples: Examples<typeof timelineContract> = {
  'GET /upcoming': {
    path: '/upcoming?within=72h&limit=2',
    answer: {
      ...{ now: '2030-01-30T14:05:12.486Z', until: '2030-02-02T14:05:12.486Z', overdue: 0 },
      items: [
        {
          ...{ job: 'report', group: 'finance', timezone: 'Europe/Berlin', node: null },
          at: '2030-01-31T01:30:00.000Z',
          trigger: 'schedule',
          state: 'idle',
          ...{ more: 0, lastAt: null },
        },
      ],
      next: null,
    },
  },
  'GET /timeline': {
    path: '/timeline?name=report&from=2030-01-30T02:00:00Z&until=2030-02-01T02:00:00Z&bins=48',
    answer: {
      ...{ from: '2030-01-30T02:00:00.000Z', until: '2030-02-01T02:00:00.000Z' },
      ...{ now: '2030-01-31T09:12:44.031Z', binMs: 3_600_000 },
      items: [
        {
          ...{ job: 'report', group: 'finance', timezone: 'Europe/Berlin', state: 'idle' },
          binned: false,
          runs: [
            {
              ...{ runId: 31, launchId: 's5e0b3c9f8a7d6e5f4c3b2a10:7', result: 'succeeded' },
              ...{ ticks: 1, scheduledFor: '2030-01-31T01:30:00.000Z', scheduledUntil: null },
              startedAt: '2030-01-31T01:30:00.115Z',
              endedAt: '2030-01-31T01:30:01.622Z',
            },
          ],
          ...{ bins: [], readFrom: null, next: ['2030-02-01T01:30:00.000Z'], nextMore: 0 },
          revisions: [{ revision: 1, at: '2030-01-30T14:05:09.137Z', paused: false }],
        },
      ],
      next: null,
    },
  },
};
