import { fromPromise } from 'xstate';
import { schedulerMachine } from '../../statecharts/scheduler.ts';
import type { DueLook } from '../domain/heldSlot.ts';
import { askCommitter } from './askCommitter.ts';
import type { Runtime } from './runtime.ts';
import { SchedulerPlan } from './schedulerPlan.ts';

/** The scheduler's chart with its effects: looks, claims, permits, and the slots' actors. */
export function provideScheduler(runtime: Runtime) {
  const { reports, roster } = runtime;
  const plan = new SchedulerPlan(runtime);
  return schedulerMachine.provide({
    actors: {
      peekDue: fromPromise<DueLook>(() => plan.peek()),
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
        askCommitter(system.get('committer'), self, plan.claimRequest());
      },
      adoptLaunches: ({ event, self }) => {
        plan.claimIsAsked = false;
        if (event.type !== 'claim.committed') return;
        plan.busyStripes = event.busyStripes ?? [];
        plan.adopt(self, event.launches);
      },
      noteClaimSettled: () => {
        plan.claimIsAsked = false;
      },
      givePermit: ({ event }) => {
        if (event.type === 'permit.ask') roster.askPermit(event.launchId);
      },
      takePermitBack: ({ event }) => {
        if (event.type === 'permit.return') roster.returnPermit(event.launchId);
      },
      forgetSlot: ({ event, self }) => {
        if (event.type !== 'slot.freed') return;
        if (plan.forget(event.launch)) self.send({ type: 'scheduler.wake' });
      },
      noteWake: () => {
        plan.wakeNoted = true;
      },
      releasePrepared: () => plan.release(),
      stopRuns: () => plan.stopRuns(),
      tellDrained: () => undefined,
      reportTrouble: (_, { error }) => reports.trouble('the look for due slots', error),
    },
    guards: {
      somethingIsDue: (_, { look }) => look.stripes.length > 0,
      moreIsWanted: ({ event }) =>
        plan.wakeNoted || (event.type === 'claim.committed' && plan.leavesSome(event.launches)),
      wakeIsSooner: () => plan.wakeIsSooner,
      nothingIsHeld: () => plan.holdsNothing,
    },
    delays: {
      lookPeriod: () => plan.restMs,
      wakePause: () => plan.pauseAfterWake(),
    },
  });
}
