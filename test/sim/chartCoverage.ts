import type { AnyActorRef, AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';

/** Counts which transitions of which charts were taken, and which events found none. */
export class ChartCoverage {
  /** By `transitionKey`. */
  readonly taken = new Map<string, number>();
  /** By `machine state event`: an event that came and that the state does not handle. */
  readonly ignored = new Map<string, number>();
  readonly #keys = new WeakMap<object, string>();
  readonly #isWatching: boolean;

  constructor(isWatching: boolean) {
    this.#isWatching = isWatching;
  }

  /** Watches every actor of the system that the root actor makes. */
  watch(root: AnyActorRef): void {
    if (!this.#isWatching) return;
    root.system.inspect({
      next: (inspected) => {
        if (inspected.type !== '@xstate.microstep') return;
        const { _transitions: transitions, event } = inspected;
        for (const transition of transitions) this.#count(transition);
        if (transitions.length === 0) this.#noteIgnored(inspected.actorRef, event.type);
      },
    });
  }

  #count(transition: AnyTransitionDefinition): void {
    let key = this.#keys.get(transition);
    if (key === undefined) {
      key = transitionKey(transition);
      this.#keys.set(transition, key);
    }
    this.taken.set(key, (this.taken.get(key) ?? 0) + 1);
  }

  #noteIgnored(actor: object, eventType: string): void {
    if (eventType.startsWith('xstate.')) return;
    const { _nodes: nodes } = (actor as AnyActorRef).getSnapshot() as { _nodes?: AnyStateNode[] };
    const leaf = nodes?.at(-1);
    if (leaf === undefined) return;
    const key = `${leaf.id} ${eventType}`;
    this.ignored.set(key, (this.ignored.get(key) ?? 0) + 1);
  }
}

/** A transition by its state, its event and its place among the candidates for that event. */
export function transitionKey(transition: AnyTransitionDefinition): string {
  const { source, eventType } = transition;
  const candidates = source.transitions.get(eventType) ?? [];
  const place = candidates.indexOf(transition as (typeof candidates)[number]);
  return `${source.id} ${eventType}${place > 0 ? ` else ${place}` : ''}`;
}

/** Every transition that a chart has. */
export function transitionKeysOf(machine: AnyStateMachine): string[] {
  const keysOf = (node: AnyStateNode): string[] => [
    ...[...node.transitions.values()].flatMap((each) => each.map(transitionKey)),
    ...Object.values(node.states).flatMap(keysOf),
  ];
  return keysOf(machine.root);
}
