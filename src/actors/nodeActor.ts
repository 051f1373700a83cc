import { createActor, fromPromise } from 'xstate';
import { nodeMachine } from '../../statecharts/node.ts';
import { sessionEnds } from '../domain/reasons/sessionEnd.ts';
import { provideCommitter } from './committerActor.ts';
import { provideCompensator } from './compensatorActor.ts';
import { provideHeartbeat } from './heartbeatActor.ts';
import { joinCluster } from './joinCluster.ts';
import { provideNotifier } from './notifierActor.ts';
import { providePollers } from './pollerActor.ts';
import { provideReaper } from './reaperActor.ts';
import { reportActivity } from './reportActivity.ts';
import type { Runtime } from './runtime/runtime.ts';
import { sendTo } from './runtime/sendTo.ts';
import { provideScheduler } from './schedulerActor.ts';

/** The root actor of a node with all its actors provided; not started. */
export function createNodeActor(runtime: Runtime) {
  const { activity, executor, introduction, reports, settings, store } = runtime;
  const logic = nodeMachine.provide({
    actors: {
      joinSession: fromPromise<unknown>(({ signal }) => joinCluster(runtime, signal)),
      leaveSession: fromPromise<unknown>(async ({ system }) => {
        await reportActivity(runtime, system).catch(() => undefined); // the last counts that it has
        return store.endSession(introduction.sessionId, sessionEnds.stopped, null);
      }),
      heartbeat: activity.count(provideHeartbeat(runtime)),
      committer: activity.count(provideCommitter(runtime)),
      scheduler: activity.count(provideScheduler(runtime)),
      compensator: activity.count(provideCompensator(runtime)),
      reaper: activity.count(provideReaper(runtime)),
      ...providePollers(runtime),
      notifier: activity.count(provideNotifier(runtime)),
    },
    actions: {
      reportServing: () => reports.serving(),
      reportDraining: () => reports.draining(),
      drainScheduler: ({ system }) => {
        sendTo(system, 'scheduler', { type: 'scheduler.drain' });
        // Nodes of a lower rank need not wait for what it still executes.
        const failed = (error: unknown) =>
          reports.trouble('telling the other nodes that it leaves failed', error);
        store.markDraining().catch(failed);
      },
      stopRuns: ({ system }) => sendTo(system, 'scheduler', { type: 'scheduler.stopRuns' }),
      killEverything: () => void executor.killEverything(),
    },
    delays: {
      drainTimeout: settings.drainTimeoutMs,
    },
  });
  return createActor(activity.count(logic), { systemId: 'node', clock: runtime.actorClock });
}
