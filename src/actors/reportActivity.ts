import type { AnyActorRef } from 'xstate';
import { watchActors } from './runtime/actorEvents.ts';
import type { Runtime } from './runtime/runtime.ts';
import type { ActorSystem } from './runtime/sendTo.ts';
import { activityOf } from './view/activityOf.ts';

/** Writes what this node's actors do into the database, if somebody looks at it on any node. */
export async function reportActivity(runtime: Runtime, system: ActorSystem): Promise<void> {
  const { activity, clock, introduction, roster, store, watched } = runtime;
  const root = system.get('node') as AnyActorRef | undefined;
  if (root === undefined) return;
  watched.keep(
    activity.isWatched,
    () => clock.nowMs(),
    (see) => watchActors(root, roster, see),
  );
  if (!activity.isWatched) return;
  await store.reportActivity(introduction.sessionId, activityOf(runtime, root));
}
