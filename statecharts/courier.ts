import { fromPromise, setup } from 'xstate';

const notProvided = (): never => {
  throw new Error('not provided');
};

/** Carries what is due between jobs and over time: starts by chains, pauses that end. */
export const courierMachine = setup({
  actors: {
    runErrands: fromPromise<unknown>(notProvided),
  },
  actions: {
    reportTrouble: (_, _params: { error: unknown }) => notProvided(),
  },
  delays: {
    errandPeriod: 1000,
  },
}).createMachine({
  id: 'courier',
  description: 'Starts the jobs that follow others and ends the pauses that are over.',
  initial: 'resting',
  states: {
    resting: {
      description: 'Until the next round; what one round leaves is found by the next.',
      after: { errandPeriod: 'running' },
    },
    running: {
      description: 'A bounded round through the database, each thing once, by any node.',
      invoke: {
        id: 'round',
        src: 'runErrands',
        onDone: 'resting',
        onError: {
          target: 'resting',
          actions: { type: 'reportTrouble', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
  },
});
