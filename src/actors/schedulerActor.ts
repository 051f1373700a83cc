import { type AnyActorRef, createActor, fromPromise } from 'xstate';
import { type SchedulerEvent, schedulerMachine } from '../../statecharts/scheduler.ts';
import type { DueLook } from '../domain/heldSlot.ts';
import type { Launch } from '../domain/launch.ts';
import { askCommitter } from './askCommitter.ts';
import type { Runtime } from './runtime.ts';
import { provideSlot } from './slotActor.ts';

/**
 * How far ahead slots of any stripe are claimed: a full, ineligible or dead owner delays nothing.
 */
const aheadAnywhereMs = 3_000;
/** One claim at most: about 25 ms of the event loop for deciding and as much for the new actors. */
const claimSlotsMax = 500;
/** A tick nearer than this may not wait for the next look of the period. */
const nearMs = 1_500;

interface Plan {
  stripes: readonly number[];
  look: DueLook;
  wakeNoted: boolean;
  claimIsAsked: boolean;
  /** The drain timeout is over: whatever executes is stopped. */
  stopIsAsked: boolean;
  /** The last look saw as much as capacity allowed: what is freed has work waiting. */
  wasFull: boolean;
}

/** The scheduler's chart with its effects: looks, claims, and the slots' actors. */
export function provideScheduler(runtime: Runtime) {
  const { roster, settings, store } = runtime;
  const plan: Plan = {
    stripes: [],
    look: { stripes: [], slots: 0 },
    wakeNoted: false,
    claimIsAsked: false,
    stopIsAsked: false,
    wasFull: false,
  };
  const slotLogic = provideSlot(runtime);
  const horizon = () => ({
    nodeName: runtime.introduction.nodeName,
    stripes: plan.stripes,
    aheadMs: settings.horizonMs,
    aheadAnywhereMs: Math.min(aheadAnywhereMs, settings.horizonMs),
  });
  const free = () => settings.capacity - roster.size;

  return schedulerMachine.provide({
    actors: {
      peekDue: fromPromise<DueLook>(async () => {
        plan.wakeNoted = false;
        const slotsMax = free();
        if (slotsMax <= 0) {
          plan.wasFull = true;
          return { stripes: [], slots: 0 };
        }
        const look = await store.peekDue(horizon(), slotsMax);
        plan.wasFull = look.slots >= slotsMax;
        return look;
      }),
    },
    actions: {
      keepStripes: ({ event }) => {
        if (event.type === 'stripes.dealt') plan.stripes = event.stripes;
      },
      keepLook: (_, { look }) => {
        plan.look = look;
      },
      askClaim: ({ self, system }) => {
        plan.claimIsAsked = true;
        askCommitter(system.get('committer'), self, {
          kind: 'claim',
          ...horizon(),
          dueStripes: plan.look.stripes,
          slotsMax: Math.min(free(), claimSlotsMax),
        });
      },
      adoptLaunches: ({ event, self }) => {
        plan.claimIsAsked = false;
        if (event.type === 'claim.committed') adopt(runtime, slotLogic, self, event.launches);
      },
      givePermit: ({ event }) => {
        if (event.type === 'permit.ask') roster.askPermit(event.launchId);
      },
      takePermitBack: ({ event }) => {
        if (event.type === 'permit.return') roster.returnPermit(event.launchId);
      },
      forgetSlot: ({ event, self }) => {
        if (event.type !== 'slot.freed') return;
        roster.remove(event.launch.launchId);
        const { cursorMs } = event.launch;
        const isNear = cursorMs !== null && cursorMs - runtime.clock.nowMs() < nearMs;
        if (isNear || plan.wasFull) self.send({ type: 'scheduler.wake' });
      },
      noteWake: () => {
        plan.wakeNoted = true;
      },
      noteClaimSettled: () => {
        plan.claimIsAsked = false;
      },
      releasePrepared: () => {
        sendToAll(runtime, { type: 'slot.release' });
        // A start that was under way when the stop was asked for has become a run since.
        if (plan.stopIsAsked) sendToAll(runtime, { type: 'run.stop' });
      },
      stopRuns: () => {
        plan.stopIsAsked = true;
        sendToAll(runtime, { type: 'run.stop' });
      },
      tellDrained: () => undefined,
      reportTrouble: (_, { error }) => runtime.reports.trouble('the look for due slots', error),
    },
    guards: {
      somethingIsDue: (_, { look }) => look.slots > 0,
      moreIsWanted: ({ event }) => plan.wakeNoted || leftSomething(plan, event),
      nothingIsHeld: () => roster.size === 0 && !plan.claimIsAsked,
    },
  });
}

/** True when a claim took some of what the look saw, but not all: there is more to take at once. */
function leftSomething(plan: Plan, event: SchedulerEvent): boolean {
  if (event.type !== 'claim.committed') return false;
  return event.launches.length > 0 && event.launches.length < plan.look.slots;
}

/**
 * Gives each launch its actor. They are children of the scheduler in the actor system, but not in
 * its snapshot: xstate copies the map of children for every spawn, which is quadratic in 10,000.
 */
function adopt(
  runtime: Runtime,
  slotLogic: ReturnType<typeof provideSlot>,
  parent: AnyActorRef,
  launches: readonly Launch[],
): void {
  for (const launch of launches) {
    const actor = createActor(slotLogic, { id: launch.launchId, parent, input: { launch } });
    runtime.roster.add(launch, actor);
    actor.start();
  }
}

function sendToAll(runtime: Runtime, event: { type: 'slot.release' } | { type: 'run.stop' }): void {
  for (const { actor } of runtime.roster.members()) actor.send(event);
}
