import { assign, fromPromise, setup } from 'xstate';

export type ReaperEvent =
  | { type: 'reap.committed'; sessionId: string; stripes: readonly number[] }
  | { type: 'reap.refused'; sessionId: string; reason: string }
  | { type: 'reap.unknown'; sessionId: string };

/** What a look at the sessions calls for. */
export type ReaperFinding =
  | { readonly finding: 'nothing' }
  | { readonly finding: 'stalled'; readonly sessionId: string; readonly beats: number }
  | { readonly finding: 'ended'; readonly sessionId: string };

export interface ReaperContext {
  readonly finding: ReaperFinding;
}

const notProvided = (): never => {
  throw new Error('not provided');
};

/** Ends sessions whose beats stand still for their TTL and frees the slots of ended ones. */
export const reaperMachine = setup({
  types: {
    context: {} as ReaperContext,
    events: {} as ReaperEvent,
  },
  actors: {
    lookAtSessions: fromPromise<ReaperFinding>(notProvided),
    endSession: fromPromise<unknown, ReaperFinding>(notProvided),
    markReaped: fromPromise<unknown, ReaperFinding>(notProvided),
  },
  actions: {
    keepFinding: assign({ finding: (_, params: { finding: ReaperFinding }) => params.finding }),
    requestReap: notProvided,
    keepStripes: notProvided,
    reportTrouble: (_, _params: { error: unknown }) => notProvided(),
  },
  guards: {
    isStalled: (_, params: { finding: ReaperFinding }) => params.finding.finding === 'stalled',
    isEnded: (_, params: { finding: ReaperFinding }) => params.finding.finding === 'ended',
    allStripesReaped: notProvided,
  },
  delays: {
    reapPeriod: 1000,
    busyPause: 50,
  },
}).createMachine({
  id: 'reaper',
  description: 'Watches the beats of all sessions by its own monotonic clock; compares no clocks.',
  context: { finding: { finding: 'nothing' } },
  initial: 'looking',
  on: {
    'reap.committed': { actions: 'keepStripes' },
  },
  states: {
    resting: {
      description: 'Until the next look.',
      after: { reapPeriod: 'looking' },
    },
    looking: {
      description:
        'Reads the sessions that are live, or ended with slots that may not be free yet.',
      invoke: {
        id: 'look',
        src: 'lookAtSessions',
        onDone: [
          {
            guard: { type: 'isStalled', params: ({ event }) => ({ finding: event.output }) },
            target: 'ending',
            actions: { type: 'keepFinding', params: ({ event }) => ({ finding: event.output }) },
          },
          {
            guard: { type: 'isEnded', params: ({ event }) => ({ finding: event.output }) },
            target: 'reaping',
            actions: { type: 'keepFinding', params: ({ event }) => ({ finding: event.output }) },
          },
          { target: 'resting' },
        ],
        onError: {
          target: 'resting',
          actions: { type: 'reportTrouble', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    ending: {
      description: 'The session is marked ended, naming the beats that stood still.',
      invoke: {
        id: 'ending',
        src: 'endSession',
        input: ({ context }) => context.finding,
        onDone: 'looking',
        onError: {
          target: 'resting',
          actions: { type: 'reportTrouble', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    reaping: {
      description: 'Its slots are reset under their stripes; busy stripes are requested again.',
      entry: 'requestReap',
      on: {
        'reap.committed': [
          { guard: 'allStripesReaped', target: 'closing', actions: 'keepStripes' },
          { target: 'waiting', actions: 'keepStripes' },
        ],
        'reap.refused': 'resting',
        'reap.unknown': 'waiting',
      },
    },
    waiting: {
      description: 'Some stripes were busy: they are requested again, after a look at the others.',
      after: { busyPause: 'looking' },
    },
    closing: {
      description: 'Every stripe was visited under its lock: nothing of the session is left.',
      invoke: {
        id: 'closing',
        src: 'markReaped',
        input: ({ context }) => context.finding,
        onDone: 'looking',
        onError: {
          target: 'resting',
          actions: { type: 'reportTrouble', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
  },
});
