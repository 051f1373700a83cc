import { fromPromise } from 'xstate';
import { type PollerContext, pollerMachine, type RoundEnd } from '../../statecharts/poller.ts';
import { pauseAfter } from '../domain/commit/cleaningPace.ts';
import { historyDefaults } from '../domain/commit/historyKeep.ts';
import { othersPeriods } from '../domain/targeting/housekeepers.ts';
import { recordSpooled } from './recordSpooled.ts';
import { reportActivity } from './reportActivity.ts';
import type { Runtime } from './runtime/runtime.ts';
import { type ActorSystem, sendTo } from './runtime/sendTo.ts';

interface Poller {
  /** What failed, as a report of trouble says it. */
  readonly work: string;
  /** True: there is more to do, and the pause is enough between. */
  readonly runRound: (system: ActorSystem, position: string) => Promise<RoundEnd>;
  readonly periodMs: number;
  /** Of the period, so that the nodes of a cluster do not all look at once. */
  readonly jitter?: number;
  /** It is the cluster's work: nodes that are no housekeepers do it far less often. */
  readonly isHousekeeping?: boolean;
  /** The first round comes at once and not after a period. */
  readonly isEager?: boolean;
}

const cleanerPeriodMs = 5_000;
const courierPeriodMs = 1_000;
const courierJitter = 0.4;
const recorderPeriodMs = 1_000;
const reporterPeriodMs = 2_000;

/** The chart of the pollers with the effects of each. */
export function providePollers(runtime: Runtime) {
  return {
    recorder: provideRecorder(runtime),
    courier: provideCourier(runtime),
    cleaner: provideCleaner(runtime),
    reporter: provideReporter(runtime),
  };
}

/** One step of cleaning by what this node was configured to keep. */
function provideCleaner(runtime: Runtime) {
  const keep = runtime.settings.keep ?? historyDefaults;
  return providePoller(runtime, {
    work: 'cleaning the history failed',
    runRound: async () => {
      const step = await runtime.store.cleanHistory(keep);
      return { isMore: step.isMore, pauseMs: pauseAfter(step) };
    },
    periodMs: cleanerPeriodMs,
    isHousekeeping: true,
  });
}

/** One round of what is due and is no tick: starts by chains, pauses that end. */
function provideCourier(runtime: Runtime) {
  return providePoller(runtime, {
    work: 'starting jobs that follow others failed',
    runRound: async (system) => {
      const done = await runtime.store.runMaintenance();
      // What was started is due now, and a whole period is long to wait for it.
      if (done > 0) sendTo(system, 'scheduler', { type: 'scheduler.wake' });
      return { isMore: false };
    },
    periodMs: runtime.settings.courierPeriodMs ?? courierPeriodMs,
    jitter: courierJitter,
    isHousekeeping: true,
  });
}

/** The activity of this node, while somebody looks at it. */
function provideReporter(runtime: Runtime) {
  return providePoller(runtime, {
    work: 'reporting what the actors do failed',
    runRound: async (system) => {
      await reportActivity(runtime, system);
      return { isMore: false };
    },
    periodMs: reporterPeriodMs,
  });
}

/** One look through the spool of the node's name; the first as soon as the node is live. */
function provideRecorder(runtime: Runtime) {
  const { late } = runtime;
  return providePoller(runtime, {
    work: 'recording results of an earlier process failed',
    runRound: async (_, lastSeen) => {
      if (late === undefined) return { isMore: false };
      return { isMore: false, position: await recordSpooled(runtime, late, lastSeen) };
    },
    periodMs: recorderPeriodMs,
    isEager: true,
  });
}

function providePoller({ activity, housekeeping, random, reports }: Runtime, poller: Poller) {
  const { isEager = false, isHousekeeping = false, jitter = 0, periodMs, runRound, work } = poller;
  const machine = pollerMachine.provide({
    actors: {
      runRound: fromPromise<RoundEnd, PollerContext>(({ input, system }) =>
        runRound(system, input.position),
      ),
    },
    actions: {
      reportTrouble: (_, { error }) => reports.trouble(work, error),
    },
    delays: {
      period: ({ context }) => {
        if (isEager && context.rounds === 0) return 0;
        const periods = isHousekeeping && !housekeeping.isOwn ? othersPeriods : 1;
        return periods * periodMs * (1 + (random() - 0.5) * jitter);
      },
    },
  });
  return activity.count(machine);
}
