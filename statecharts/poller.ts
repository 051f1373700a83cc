import { assign, fromPromise, setup } from 'xstate';

/**
 * `position`: where the next round goes on; only some have one. `pauseMs`: how long until then when
 * there is more.
 */
export interface RoundEnd {
  readonly isMore: boolean;
  readonly position?: string;
  readonly pauseMs?: number;
}

export interface PollerContext {
  /** What this poller is for, in one line. */
  readonly duty: string;
  /** Rounds that have ended, whichever way. */
  readonly rounds: number;
  /** Of the last rounds, how many failed one after the other. */
  readonly failuresInARow: number;
  /** Where the next round goes on; '': at the beginning. */
  readonly position: string;
  /** Between two rounds when there is more to do. */
  readonly pauseMs: number;
}

const pauseMs = 200;
const atFirst = { rounds: 0, failuresInARow: 0, position: '', pauseMs } as const;

const notProvided = (): never => {
  throw new Error('not provided');
};

/** Works in bounded rounds, with a period between: recorder, courier, cleaner and reporter. */
export const pollerMachine = setup({
  types: {
    context: {} as PollerContext,
    input: {} as { duty: string },
  },
  actors: {
    runRound: fromPromise<RoundEnd, PollerContext>(notProvided),
  },
  actions: {
    countRound: assign({
      rounds: ({ context }) => context.rounds + 1,
      failuresInARow: 0,
      position: (_, ended: RoundEnd) => ended.position ?? '',
      pauseMs: (_, ended: RoundEnd) => ended.pauseMs ?? pauseMs,
    }),
    countFailure: assign({
      rounds: ({ context }) => context.rounds + 1,
      failuresInARow: ({ context }) => context.failuresInARow + 1,
    }),
    reportTrouble: (_, _params: { error: unknown }) => notProvided(),
  },
  guards: {
    isMore: (_, ended: RoundEnd) => ended.isMore,
  },
  delays: {
    period: 1000,
    pause: ({ context }) => context.pauseMs,
  },
}).createMachine({
  id: 'poller',
  description: 'Does one thing again and again: a bounded round, then a rest.',
  context: ({ input }) => ({ ...atFirst, duty: input.duty }),
  initial: 'idle',
  states: {
    idle: {
      description: 'Until the next round; what one leaves, or fails at, is tried by the next.',
      after: { period: 'working' },
    },
    working: {
      description: 'A bounded round through the database or the spool; each thing is done once.',
      invoke: {
        id: 'round',
        src: 'runRound',
        input: ({ context }) => context,
        onDone: [
          {
            guard: { type: 'isMore', params: ({ event }) => event.output },
            target: 'pausing',
            actions: { type: 'countRound', params: ({ event }) => event.output },
          },
          {
            target: 'idle',
            actions: { type: 'countRound', params: ({ event }) => event.output },
          },
        ],
        onError: {
          target: 'idle',
          actions: [
            'countFailure',
            { type: 'reportTrouble', params: ({ event }) => ({ error: event.error }) },
          ],
        },
      },
    },
    pausing: {
      description: 'There is more to do at once; the database belongs to the jobs meanwhile.',
      after: { pause: 'working' },
    },
  },
});
