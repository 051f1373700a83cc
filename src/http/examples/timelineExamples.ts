import type { timelineContract } from '../contract/timelineContract.ts';
import type { Examples } from './example.ts';

export const timelineExamples: Examples<typeof timelineContract> = {
  'GET /upcoming': {
    path: '/upcoming?within=24h&limit=2',
    answer: {
      ...{ now: '2030-01-30T14:05:12.486Z', until: '2030-01-31T14:05:12.486Z', overdue: 0 },
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
};
