import { fromPromise, setup } from 'xstate';

const notProvided = (): never => {
  throw new Error('not provided');
};

/** Records the results that dead processes of this node's name have left on this host. */
export const recorderMachine = setup({
  actors: {
    recordSpooled: fromPromise<unknown>(notProvided),
  },
  actions: {
    reportTrouble: (_, _params: { error: unknown }) => notProvided(),
  },
  delays: {
    lookPeriod: 1000,
  },
}).createMachine({
  id: 'recorder',
  description: 'Completes lost runs with the results that earlier processes of the node spooled.',
  initial: 'recording',
  states: {
    recording: {
      description: 'Reads the spool; a lost run is completed once, by its launch id.',
      invoke: {
        id: 'recording',
        src: 'recordSpooled',
        onDone: 'resting',
        onError: {
          target: 'resting',
          actions: { type: 'reportTrouble', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    resting: {
      description: 'Until the next look; what is not reaped yet is looked at again.',
      after: { lookPeriod: 'recording' },
    },
  },
});
