import type { AnyActorRef } from 'xstate';
import type { Runtime } from './runtime/runtime.ts';
import type { ActorSystem } from './runtime/sendTo.ts';
import { activityOf } from './view/activityOf.ts';

/** Writes what this node's actors do into the database, if somebody looks at it on any node. */
export async function reportActivity(runtime: Runtime, system: ActorSystem): Promise<void> {
  const { activity, introduction, store } = runtime;
  const root = system.get('node') as AnyActorRef | undefined;
  if (!activity.isWatched || root === undefined) return;
  await store.reportActivity(introduction.sessionId, activityOf(runtime, root));
}
