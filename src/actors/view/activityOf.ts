import type { AnyActorRef } from 'xstate';
import type { ActorShown, NodeActivity } from '../../domain/commit/nodeActivity.ts';
import { machineOf, nameOf, stateOf } from '../runtime/actorEvents.ts';
import type { Runtime } from '../runtime/runtime.ts';

/** What the actors below a node's root do now and have done. A look changes nothing. */
export function activityOf(
  { activity, roster, watched }: Pick<Runtime, 'activity' | 'roster' | 'watched'>,
  root: AnyActorRef,
): NodeActivity {
  const { children } = root.getSnapshot() as { children: Children };
  const slots: Record<string, number> = {};
  for (const { actor } of roster.members()) {
    const state = stateOf(actor.getSnapshot());
    slots[state] = (slots[state] ?? 0) + 1;
  }
  return {
    actors: [root, ...Object.values(children)].flatMap(shownOf),
    slots,
    transitions: activity.transitions(),
    guards: activity.guards(),
    launches: watched.all(),
  };
}

type Children = Readonly<Record<string, AnyActorRef | undefined>>;

/** Promises are actors too, and have no states. */
function shownOf(actor: AnyActorRef | undefined): ActorShown[] {
  const snapshot: unknown = actor?.getSnapshot();
  const machine = machineOf(snapshot);
  if (actor === undefined || machine === null) return [];
  return [{ actor: nameOf(actor), machine, state: stateOf(snapshot) }];
}
