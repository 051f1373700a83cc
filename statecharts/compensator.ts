import { fromPromise, setup } from 'xstate';
import type { HeldLook } from '../src/domain/run/heldSlot.ts';

export type CompensatorEvent =
  | { type: 'compensator.look' }
  | { type: 'reset.committed'; launchId: string }
  | { type: 'reset.refused'; launchId: string; reason: string }
  | { type: 'reset.unknown'; launchId: string };

const notProvided = (): never => {
  throw new Error('not provided');
};

/**
 * Compares the rows that this session holds with what memory knows, and resets what nobody knows.
 */
export const compensatorMachine = setup({
  types: {
    events: {} as CompensatorEvent,
  },
  actors: {
    lookAtHeld: fromPromise<HeldLook>(notProvided),
  },
  actions: {
    compare: (_, _params: { look: HeldLook }) => notProvided(),
    removeFromResetSet: notProvided,
    noteUnsettled: notProvided,
    reportTrouble: (_, _params: { error: unknown }) => notProvided(),
  },
  delays: {
    lookPeriod: 2000,
  },
}).createMachine({
  id: 'compensator',
  description: 'Settles unknown outcomes: a row of ours that no live slot actor knows is reset.',
  initial: 'resting',
  on: {
    'reset.committed': { actions: 'removeFromResetSet' },
    'reset.refused': { actions: 'removeFromResetSet' },
    'reset.unknown': {
      description: 'stays in the reset set and is requested again',
      actions: 'noteUnsettled',
    },
  },
  states: {
    resting: {
      description: 'Until the next look.',
      after: { lookPeriod: 'looking' },
      on: {
        'compensator.look': {
          target: 'looking',
          description: 'the next tick of a job has come that replaces its runs',
        },
      },
    },
    looking: {
      description:
        'Reads the rows of this session, and prepared rows that another let pass by 10 s.',
      on: { 'compensator.look': {} },
      invoke: {
        id: 'look',
        src: 'lookAtHeld',
        onDone: {
          target: 'resting',
          actions: { type: 'compare', params: ({ event }) => ({ look: event.output }) },
        },
        onError: {
          target: 'resting',
          actions: { type: 'reportTrouble', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
  },
});
