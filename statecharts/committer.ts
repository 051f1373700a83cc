import { fromPromise, setup } from 'xstate';
import type { CommitReport, CommitRequest } from '../src/domain/commit/commitQueue.ts';

export type CommitterEvent = { type: 'commit.request'; queued: CommitRequest };

const notProvided = (): never => {
  throw new Error('not provided');
};

/** Owns all slot writes of this process: one transaction at a time, every request in it. */
export const committerMachine = setup({
  types: {
    events: {} as CommitterEvent,
  },
  actors: {
    commitBatch: fromPromise<CommitReport>(notProvided),
  },
  actions: {
    enqueue: notProvided,
    reportFailure: notProvided,
  },
  guards: {
    hasRequests: notProvided,
    isUrgent: notProvided,
    somethingIsUrgent: notProvided,
    isFenced: (_, params: { report: CommitReport }) => params.report === 'fenced',
    isUnknown: (_, params: { report: CommitReport }) => params.report === 'unknown',
    isBusy: (_, params: { report: CommitReport }) => params.report === 'busy',
  },
  delays: {
    gatherPause: notProvided,
    busyPause: notProvided,
    unknownPause: notProvided,
  },
}).createMachine({
  id: 'committer',
  description: 'Group commit: what is requested during one transaction goes into the next one.',
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
            guard: { type: 'isFenced', params: ({ event }) => ({ report: event.output }) },
            target: 'fenced',
          },
          {
            guard: { type: 'isUnknown', params: ({ event }) => ({ report: event.output }) },
            target: 'recovering',
          },
          {
            guard: { type: 'isBusy', params: ({ event }) => ({ report: event.output }) },
            target: 'pausing',
          },
          { guard: 'somethingIsUrgent', target: 'committing', reenter: true },
          { guard: 'hasRequests', target: 'gathering' },
          { target: 'resting' },
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
