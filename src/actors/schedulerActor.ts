import { type AnyActorRef, assign, createActor, fromPromise } from 'xstate';
import {
  type LookResult,
  type SchedulerContext,
  type SchedulerEvent,
  schedulerMachine,
} from '../../statecharts/scheduler.ts';
import type { Launch } from '../domain/run/launch.ts';
import { requestCommit } from './runtime/requestCommit.ts';
import type { Runtime } from './runtime/runtime.ts';
import {
  cannotWait,
  claimRequest,
  peekDue,
  planLook,
  planWake,
  planWokenLook,
  restMs,
  roomLeft,
  surplusOf,
} from './schedulerPlan.ts';
import { provideSlot } from './slotActor.ts';

/** The scheduler's chart with its effects: looks, claims, permits, and the slots' actors. */
export function provideScheduler(runtime: Runtime) {
  const { activity, monotonicNowMs, reports, roster } = runtime;
  const slotLogic = activity.count(provideSlot(runtime));
  return schedulerMachine.provide({
    actors: {
      peekDue: fromPromise<LookResult, SchedulerContext>(({ input }) => peekDue(runtime, input)),
    },
    actions: {
      beginLook: assign(({ context }) => planLook(runtime, context)),
      beginClaim: assign(() => ({ isClaiming: true, room: roomLeft(runtime) })),
      giveBackSurplus: ({ context }) => {
        for (const { actor } of surplusOf(runtime, context)) actor.send({ type: 'slot.release' });
      },
      requestClaim: ({ context, self, system }) =>
        requestCommit(system, self, claimRequest(runtime, context)),
      adoptLaunches: ({ event, self }) =>
        adopt(runtime, slotLogic, self, eventOf(event, 'claim.committed').launches),
      givePermit: ({ event }) => roster.requestPermit(eventOf(event, 'permit.request').launchId),
      takePermitBack: ({ event }) => roster.returnPermit(eventOf(event, 'permit.return').launchId),
      forgetSlot: ({ event }) => roster.remove(eventOf(event, 'slot.freed').launch.launchId),
      planWake: assign(({ context, event }) => {
        const freed = event.type === 'slot.freed' ? event.launch : null;
        return { wakeMs: planWake(runtime, context, freed) };
      }),
      planWokenLook: assign(({ context }) => ({ wokenLookMs: planWokenLook(runtime, context) })),
      releasePrepared: () => {
        for (const { actor } of roster.members()) actor.send({ type: 'slot.release' });
      },
      stopRuns: () => {
        if (roster.running > 0) reports.stoppingRuns?.(roster.running);
        for (const { actor } of roster.members()) actor.send({ type: 'run.stop', why: 'drain' });
      },
      reportTrouble: (_, { error }) => reports.trouble('looking for due jobs failed', error),
    },
    guards: {
      cannotWait: ({ context, event }) =>
        cannotWait(runtime, context, eventOf(event, 'slot.freed').launch),
      nothingIsHeld: ({ context }) => roster.size === 0 && !context.isClaiming,
    },
    delays: {
      lookPeriod: ({ context }) => restMs(runtime, context),
      wakePause: ({ context }) => Math.max(0, context.wokenLookMs - monotonicNowMs()),
    },
  });
}

type EventOf<Type> = Extract<SchedulerEvent, { type: Type }>;

/** The event of a type that the chart calls an action for. */
function eventOf<Type extends SchedulerEvent['type']>(
  event: SchedulerEvent,
  type: Type,
): EventOf<Type> {
  if (event.type !== type) throw new Error(`the scheduler's chart takes ${event.type} for ${type}`);
  return event as EventOf<Type>;
}

/**
 * Gives each launch its actor: a child of the scheduler in the actor system, but not in its
 * snapshot, since xstate copies the map of children for every spawn. All have one id, and are told
 * apart by their names in the system: a parent hears of an end by an event with the id in its type,
 * and xstate keeps for ever what it found out about a type.
 */
function adopt(
  runtime: Runtime,
  slotLogic: ReturnType<typeof provideSlot>,
  parent: AnyActorRef,
  launches: readonly Launch[],
): void {
  for (const launch of launches) {
    const names = { id: 'slot', systemId: launch.launchId };
    const actor = createActor(slotLogic, { ...names, parent, input: { launch } });
    runtime.roster.add(launch, actor);
    actor.start();
  }
}
