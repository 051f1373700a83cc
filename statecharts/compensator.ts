import { assign, fromPromise, setup } from 'xstate';
import type { ResetRequest } from '../src/domain/commit/batch.ts';
import type { HeldLook, HeldSlot } from '../src/domain/run/heldSlot.ts';

export type CompensatorEvent =
  | { type: 'compensator.look' }
  | { type: 'reset.committed'; launchId: string }
  | { type: 'reset.refused'; launchId: string; reason: string }
  | { type: 'reset.unknown'; launchId: string };

const noneKnown = { suspects: new Set<string>(), rowless: new Set<string>(), due: [] } as const;

type Settled = Exclude<CompensatorEvent, { type: 'compensator.look' }>;

/**
 * What the compensator knows, by launch id. `resets` and `pending` are changed in place: a copy for
 * each answer would be quadratic in the thousands of launches that one lost reply leaves.
 */
export interface CompensatorContext {
  /** Rows of ours that the last look found and no actor knew; found again, they are reset. */
  readonly suspects: ReadonlySet<string>;
  /** Actors whose row the last look did not find; not found again, they are dropped. */
  readonly rowless: ReadonlySet<string>;
  /** Resets requested and not settled: a launch stays until it is idle or another's. */
  readonly resets: Map<string, HeldSlot>;
  /** Launches whose reset is with the committer: not requested twice while a stripe is held. */
  readonly pending: Set<string>;
  /** What the last look has found to be reset. */
  readonly due: readonly ResetRequest[];
}

const without = <T extends CompensatorContext['resets' | 'pending']>(all: T, event: unknown): T => {
  all.delete((event as Settled).launchId);
  return all;
};

const notProvided = (): never => {
  throw new Error('not provided');
};

/**
 * Compares the rows that this session holds with what memory knows, and resets what nobody knows.
 */
export const compensatorMachine = setup({
  types: { context: {} as CompensatorContext, events: {} as CompensatorEvent },
  actors: {
    lookAtHeld: fromPromise<HeldLook>(notProvided),
  },
  actions: {
    passOnStops: (_, _look: HeldLook) => notProvided(),
    dropRowless: (_, _look: HeldLook) => notProvided(),
    planResets: (_, _look: HeldLook) => notProvided(),
    requestResets: notProvided,
    followOutputs: (_, _look: HeldLook) => notProvided(),
    forgetReset: assign({
      resets: ({ context, event }) => without(context.resets, event),
      pending: ({ context, event }) => without(context.pending, event),
    }),
    keepUnsettled: assign({ pending: ({ context, event }) => without(context.pending, event) }),
    reportTrouble: (_, _params: { error: unknown }) => notProvided(),
  },
  delays: {
    lookPeriod: 2000,
  },
}).createMachine({
  id: 'compensator',
  description: 'Settles unknown outcomes: a row of ours that no live slot actor knows is reset.',
  context: () => ({ ...noneKnown, resets: new Map(), pending: new Set() }),
  initial: 'resting',
  on: {
    'reset.committed': { actions: 'forgetReset' },
    'reset.refused': { actions: 'forgetReset' },
    'reset.unknown': {
      description: 'stays in the reset set and is requested again',
      actions: 'keepUnsettled',
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
          actions: [
            { type: 'passOnStops', params: ({ event }) => event.output },
            { type: 'dropRowless', params: ({ event }) => event.output },
            { type: 'planResets', params: ({ event }) => event.output },
            'requestResets',
            { type: 'followOutputs', params: ({ event }) => event.output },
          ],
        },
        onError: {
          target: 'resting',
          actions: { type: 'reportTrouble', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
  },
});
