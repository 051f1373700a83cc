import { assign, fromPromise, setup } from 'xstate';
import type { DueLook } from '../src/domain/run/heldSlot.ts';
import type { Launch } from '../src/domain/run/launch.ts';
import type { Share } from '../src/domain/run/share.ts';
import type { Room } from '../src/domain/targeting/placesLeft.ts';

export type SchedulerEvent =
  | { type: 'scheduler.wake' }
  | { type: 'scheduler.drain' }
  | { type: 'scheduler.stopRuns' }
  | { type: 'stripes.dealt'; share: Share }
  | {
      type: 'claim.committed';
      launches: readonly Launch[];
      busyStripes?: readonly number[];
    }
  | { type: 'claim.refused'; reason: string }
  | { type: 'claim.unknown' }
  | { type: 'permit.request'; launchId: string }
  | { type: 'permit.return'; launchId: string }
  | { type: 'slot.freed'; launch: Launch };

/** What the unlocked look saw; `isFull`: as much as capacity allowed, so more may be waiting. */
export interface LookResult extends DueLook {
  readonly isFull: boolean;
}

/** What the scheduler knows. Times are by the node's monotonic clock. */
export interface SchedulerContext {
  /** On which slots it looks far ahead. */
  readonly share: Share;
  /** Stripes that the last claim could not get. */
  readonly busyStripes: readonly number[];
  /** What the last look found. */
  readonly look: LookResult;
  /** What more it may hold, when it last looked or claimed. */
  readonly room: Room;
  /** The look takes in slots of all stripes, a shorter time ahead. */
  readonly looksAnywhere: boolean;
  /** A claim is with the committer. */
  readonly isClaiming: boolean;
  /** The last claim took some of what the look saw, but not all. */
  readonly leftSome: boolean;
  /** When the look of the period comes. */
  readonly nextLookMs: number;
  /** When those who woke it want the next look, at the latest; null: nobody did. */
  readonly wakeMs: number | null;
  /** When the look comes that `woken` waits for. */
  readonly wokenLookMs: number;
}

type Dealt = Extract<SchedulerEvent, { type: 'stripes.dealt' }>;
type Claimed = Extract<SchedulerEvent, { type: 'claim.committed' }>;

const leavesSome = ({ slots }: DueLook, { length }: readonly Launch[]): boolean =>
  length > 0 && length < slots;

const notProvided = (): never => {
  throw new Error('not provided');
};

/**
 * Looks ahead once a second, claims what it can start in time, and is the parent of the slots'
 * actors.
 */
export const schedulerMachine = setup({
  types: {
    context: {} as SchedulerContext,
    events: {} as SchedulerEvent,
  },
  actors: {
    peekDue: fromPromise<LookResult, SchedulerContext>(notProvided),
  },
  actions: {
    keepShare: assign({ share: ({ event }) => (event as Dealt).share }),
    keepLook: assign({ look: (_, params: { look: LookResult }) => params.look }),
    giveBackSurplus: notProvided,
    beginLook: notProvided,
    beginClaim: notProvided,
    requestClaim: notProvided,
    adoptLaunches: notProvided,
    keepClaim: assign({
      isClaiming: false,
      busyStripes: ({ event }) => (event as Claimed).busyStripes ?? [],
      leftSome: ({ context, event }) => leavesSome(context.look, (event as Claimed).launches),
    }),
    endClaim: assign({ isClaiming: false }),
    givePermit: notProvided,
    takePermitBack: notProvided,
    forgetSlot: notProvided,
    planWake: notProvided,
    planWokenLook: notProvided,
    releasePrepared: notProvided,
    stopRuns: notProvided,
    reportTrouble: (_, _params: { error: unknown }) => notProvided(),
  },
  guards: {
    somethingIsDue: (_, params: { look: LookResult }) => params.look.stripes.length > 0,
    cannotWait: notProvided,
    isWoken: ({ context }) => context.wakeMs !== null || context.leftSome,
    wakeIsSooner: ({ context }) => (context.wakeMs ?? Infinity) < context.wokenLookMs,
    nothingIsHeld: notProvided,
  },
  delays: {
    lookPeriod: 1000,
    wakePause: notProvided,
    drainPeriod: 50,
  },
}).createMachine({
  id: 'scheduler',
  description: 'Claims due slots ahead of their ticks and hands each to an actor of its own.',
  context: {
    share: { from: 0, until: 0 },
    busyStripes: [],
    look: { stripes: [], slots: 0, isFull: false },
    room: { places: 0, aheadMs: 0, isForOthers: false },
    looksAnywhere: true,
    isClaiming: false,
    leftSome: false,
    nextLookMs: 0,
    wakeMs: null,
    wokenLookMs: 0,
  },
  initial: 'resting',
  on: {
    'stripes.dealt': { actions: 'keepShare' },
    'permit.request': { actions: 'givePermit' },
    'permit.return': { actions: 'takePermitBack' },
    'slot.freed': [
      { guard: 'cannotWait', actions: ['forgetSlot', 'planWake'] },
      { actions: 'forgetSlot' },
    ],
    'claim.committed': { actions: ['keepClaim', 'adoptLaunches'] },
    'claim.refused': { actions: 'endClaim' },
    'claim.unknown': { actions: 'endClaim' },
    'scheduler.wake': { actions: 'planWake' },
    'scheduler.drain': '.draining',
    'scheduler.stopRuns': '.stopping',
  },
  states: {
    resting: {
      description: 'Until the next look, once a second.',
      after: { lookPeriod: 'peeking' },
      always: { guard: 'isWoken', target: 'woken' },
    },
    woken: {
      description: 'A slot was freed whose next tick is near: look soon, once for many.',
      entry: 'planWokenLook',
      after: { wakePause: 'peeking' },
      always: { guard: 'wakeIsSooner', target: 'woken', reenter: true },
    },
    peeking: {
      description: 'An unlocked look whether there is anything to lock for.',
      entry: ['giveBackSurplus', 'beginLook'],
      invoke: {
        id: 'look',
        src: 'peekDue',
        input: ({ context }) => context,
        onDone: [
          {
            guard: { type: 'somethingIsDue', params: ({ event }) => ({ look: event.output }) },
            target: 'claiming',
            actions: { type: 'keepLook', params: ({ event }) => ({ look: event.output }) },
          },
          {
            target: 'resting',
            actions: { type: 'keepLook', params: ({ event }) => ({ look: event.output }) },
          },
        ],
        onError: {
          target: 'resting',
          actions: { type: 'reportTrouble', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    claiming: {
      description: 'The committer claims; only what was acknowledged is taken into memory.',
      entry: ['beginClaim', 'requestClaim'],
      on: {
        'claim.committed': { target: 'resting', actions: ['keepClaim', 'adoptLaunches'] },
        'claim.refused': { target: 'resting', actions: 'endClaim' },
        'claim.unknown': { target: 'resting', actions: 'endClaim' },
      },
    },
    draining: {
      description: 'Claims nothing more, gives back what is prepared, waits for what executes.',
      entry: 'releasePrepared',
      after: {
        drainPeriod: [
          { guard: 'nothingIsHeld', target: 'drained' },
          { target: 'draining', reenter: true },
        ],
      },
      on: { 'scheduler.drain': {} },
    },
    stopping: {
      description: 'The time for draining is over: runs are stopped, those too that start yet.',
      entry: ['releasePrepared', 'stopRuns'],
      after: {
        drainPeriod: [
          { guard: 'nothingIsHeld', target: 'drained' },
          { target: 'stopping', reenter: true },
        ],
      },
      on: { 'scheduler.drain': {} },
    },
    drained: {
      description: 'Nothing is held any more.',
      type: 'final',
    },
  },
});
