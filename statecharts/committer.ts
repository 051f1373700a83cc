import { assign, fromPromise, setup } from 'xstate';
import type { CommitReport, CommitRequest } from '../src/domain/commit/commitQueue.ts';

export type CommitterEvent = { type: 'commit.request'; queued: CommitRequest };

/** How one batch went; times are by the node's monotonic clock. */
export interface BatchEnd {
  readonly report: CommitReport;
  readonly requests: number;
  readonly tookMs: number;
  readonly endedMs: number;
}

export interface CommitterContext {
  readonly batches: number;
  readonly lastBatch: BatchEnd | null;
  /** Of the last batches, how many in a row had an unknown outcome, or found every stripe held. */
  readonly unknownInARow: number;
  readonly busyInARow: number;
}

const notProvided = (): never => {
  throw new Error('not provided');
};

/** Owns all slot writes of this process: one transaction at a time, every request in it. */
export const committerMachine = setup({
  types: {
    context: {} as CommitterContext,
    events: {} as CommitterEvent,
  },
  actors: {
    commitBatch: fromPromise<BatchEnd>(notProvided),
  },
  actions: {
    enqueue: notProvided,
    keepBatch: assign({
      batches: ({ context }) => context.batches + 1,
      lastBatch: (_, ended: BatchEnd) => ended,
      unknownInARow: ({ context }, ended: BatchEnd) =>
        ended.report === 'unknown' ? context.unknownInARow + 1 : 0,
      busyInARow: ({ context }, ended: BatchEnd) =>
        ended.report === 'busy' ? context.busyInARow + 1 : 0,
    }),
    reportFailure: notProvided,
  },
  guards: {
    hasRequests: notProvided,
    isUrgent: notProvided,
    somethingIsUrgent: (_, _ended: BatchEnd) => notProvided(),
    isFenced: (_, ended: BatchEnd) => ended.report === 'fenced',
    isUnknown: (_, ended: BatchEnd) => ended.report === 'unknown',
    isBusy: (_, ended: BatchEnd) => ended.report === 'busy',
  },
  delays: {
    gatherPause: notProvided,
    busyPause: notProvided,
    unknownPause: notProvided,
  },
}).createMachine({
  id: 'committer',
  description: 'Group commit: what is requested during one transaction goes into the next one.',
  context: { batches: 0, lastBatch: null, unknownInARow: 0, busyInARow: 0 },
  initial: 'resting',
  on: { 'commit.request': { actions: 'enqueue' } },
  states: {
    resting: {
      description: 'Nothing is requested.',
      on: {
        'commit.request': [
          { guard: 'isUrgent', target: 'committing', actions: 'enqueue' },
          { target: 'gathering', actions: 'enqueue' },
        ],
      },
    },
    gathering: {
      description: 'Starts until shortly before their tick, ends for some milliseconds.',
      after: { gatherPause: 'committing' },
      on: {
        'commit.request': [
          { guard: 'isUrgent', target: 'committing', actions: 'enqueue' },
          { actions: 'enqueue' },
        ],
      },
    },
    committing: {
      description: 'One transaction: free stripes, own session live, every arrow for all its rows.',
      invoke: {
        id: 'batch',
        src: 'commitBatch',
        onDone: [
          {
            guard: { type: 'isFenced', params: ({ event }) => event.output },
            target: 'fenced',
            actions: { type: 'keepBatch', params: ({ event }) => event.output },
          },
          {
            guard: { type: 'isUnknown', params: ({ event }) => event.output },
            target: 'recovering',
            actions: { type: 'keepBatch', params: ({ event }) => event.output },
          },
          {
            guard: { type: 'isBusy', params: ({ event }) => event.output },
            target: 'pausing',
            actions: { type: 'keepBatch', params: ({ event }) => event.output },
          },
          {
            guard: { type: 'somethingIsUrgent', params: ({ event }) => event.output },
            target: 'committing',
            reenter: true,
            actions: { type: 'keepBatch', params: ({ event }) => event.output },
          },
          {
            guard: 'hasRequests',
            target: 'gathering',
            actions: { type: 'keepBatch', params: ({ event }) => event.output },
          },
          {
            target: 'resting',
            actions: { type: 'keepBatch', params: ({ event }) => event.output },
          },
        ],
        onError: { target: 'failed', actions: 'reportFailure' },
      },
    },
    pausing: {
      description: 'Every stripe that is needed is held by somebody else.',
      after: { busyPause: 'committing' },
    },
    recovering: {
      description:
        'The outcome is unknown, all requesters have been answered so; 20 ms to 1 s with jitter.',
      after: {
        unknownPause: [{ guard: 'hasRequests', target: 'committing' }, { target: 'resting' }],
      },
    },
    fenced: {
      description: 'The own session has ended: nothing more is written.',
      type: 'final',
    },
    failed: {
      description: 'A broken invariant: the process ends.',
      type: 'final',
    },
  },
});
