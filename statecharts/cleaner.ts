import { fromPromise, setup } from 'xstate';
import type { CleaningStep } from '../src/domain/historyKeep.ts';

const notProvided = (): never => {
  throw new Error('not provided');
};

/** Takes away what the history need not keep any more, a little at a time. */
export const cleanerMachine = setup({
  actors: {
    cleanHistory: fromPromise<CleaningStep>(notProvided),
  },
  actions: {
    reportTrouble: (_, _params: { error: unknown }) => notProvided(),
  },
  guards: {
    isMore: (_, params: { step: CleaningStep }) => params.step.isMore,
  },
  delays: {
    lookPeriod: 5000,
    stepPause: 200,
  },
}).createMachine({
  id: 'cleaner',
  description: 'Cleans the history in small steps, one node at a time; holds up no slot.',
  initial: 'resting',
  states: {
    resting: {
      description: 'Until the next look whether a pass is due and nobody is at it.',
      after: { lookPeriod: 'cleaning' },
    },
    cleaning: {
      description: 'One step: some jobs are looked at, at most some hundred rows go.',
      invoke: {
        id: 'step',
        src: 'cleanHistory',
        onDone: [
          {
            guard: { type: 'isMore', params: ({ event }) => ({ step: event.output }) },
            target: 'pausing',
          },
          { target: 'resting' },
        ],
        onError: {
          target: 'resting',
          actions: { type: 'reportTrouble', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    pausing: {
      description: 'The database belongs to the jobs meanwhile.',
      after: { stepPause: 'cleaning' },
    },
  },
});
