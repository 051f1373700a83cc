import { fromPromise, setup } from 'xstate';
import type { DueLook } from '../src/domain/heldSlot.ts';
import type { Launch } from '../src/domain/launch.ts';

export type SchedulerEvent =
  | { type: 'scheduler.wake' }
  | { type: 'scheduler.drain' }
  | { type: 'scheduler.stopRuns' }
  | { type: 'stripes.dealt'; stripes: readonly number[] }
  | {
      type: 'claim.committed';
      launches: readonly Launch[];
      busyStripes?: readonly number[];
    }
  | { type: 'claim.refused'; reason: string }
  | { type: 'claim.unknown' }
  | { type: 'permit.ask'; launchId: string }
  | { type: 'permit.return'; launchId: string }
  | { type: 'slot.freed'; launch: Launch };

const notProvided = (): never => {
  throw new Error('not provided');
};

/**
 * Looks ahead once a second, claims within its capacity, and is the parent of the slots' actors.
 */
export const schedulerMachine = setup({
  types: {
    events: {} as SchedulerEvent,
  },
  actors: {
    peekDue: fromPromise<DueLook>(notProvided),
  },
  actions: {
    keepStripes: notProvided,
    keepLook: (_, _params: { look: DueLook }) => notProvided(),
    askClaim: notProvided,
    adoptLaunches: notProvided,
    givePermit: notProvided,
    takePermitBack: notProvided,
    noteClaimSettled: notProvided,
    forgetSlot: notProvided,
    noteWake: notProvided,
    releasePrepared: notProvided,
    stopRuns: notProvided,
    tellDrained: notProvided,
    reportTrouble: (_, _params: { error: unknown }) => notProvided(),
  },
  guards: {
    somethingIsDue: (_, _params: { look: DueLook }) => notProvided(),
    moreIsWanted: notProvided,
    wakeIsSooner: notProvided,
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
  initial: 'resting',
  on: {
    'stripes.dealt': { actions: 'keepStripes' },
    'permit.ask': { actions: 'givePermit' },
    'permit.return': { actions: 'takePermitBack' },
    'slot.freed': { actions: 'forgetSlot' },
    'claim.committed': { actions: 'adoptLaunches' },
    'claim.refused': { actions: 'noteClaimSettled' },
    'claim.unknown': { actions: 'noteClaimSettled' },
    'scheduler.wake': { actions: 'noteWake' },
    'scheduler.stopRuns': { actions: 'stopRuns' },
    'scheduler.drain': '.draining',
  },
  states: {
    resting: {
      description: 'Until the next look, once a second.',
      after: { lookPeriod: 'peeking' },
      on: { 'scheduler.wake': 'woken' },
    },
    woken: {
      description: 'A slot was freed whose next tick is near: look soon, once for many.',
      after: { wakePause: 'peeking' },
      on: {
        'scheduler.wake': { guard: 'wakeIsSooner', target: 'woken', reenter: true },
      },
    },
    peeking: {
      description: 'An unlocked look whether there is anything to lock for.',
      invoke: {
        id: 'look',
        src: 'peekDue',
        onDone: [
          {
            guard: { type: 'somethingIsDue', params: ({ event }) => ({ look: event.output }) },
            target: 'claiming',
            actions: { type: 'keepLook', params: ({ event }) => ({ look: event.output }) },
          },
          { guard: 'moreIsWanted', target: 'woken' },
          { target: 'resting' },
        ],
        onError: {
          target: 'resting',
          actions: { type: 'reportTrouble', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    claiming: {
      description: 'The committer claims; only what was acknowledged is taken into memory.',
      entry: 'askClaim',
      on: {
        'claim.committed': [
          { guard: 'moreIsWanted', target: 'woken', actions: 'adoptLaunches' },
          { target: 'resting', actions: 'adoptLaunches' },
        ],
        'claim.refused': { target: 'resting', actions: 'noteClaimSettled' },
        'claim.unknown': { target: 'resting', actions: 'noteClaimSettled' },
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
    drained: {
      description: 'Nothing is held any more.',
      type: 'final',
      entry: 'tellDrained',
    },
  },
});
