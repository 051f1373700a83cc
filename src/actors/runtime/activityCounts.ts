import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';
import type { GuardCount, TransitionCount } from '../../domain/commit/nodeActivity.ts';

type Guard = (args: unknown, params: unknown) => boolean;
type Counted<Count> = { -readonly [Field in keyof Count]: Count[Field] };

/**
 * What the actors of a node have done, counted by their machines as they do it: each transition
 * that is taken and each answer of a guard. xstate's inspection would tell the same, and makes
 * several objects of every event for it.
 */
export class ActivityCounts {
  readonly #transitions = new Map<string, Counted<TransitionCount>>();
  readonly #guards = new Map<string, Counted<GuardCount>>();
  /** Whether some node's page shows counts, as of the reaper's last look at the sessions. */
  isWatched = false;

  /** Makes a provided machine count what its actors do. Machines of the same id share counts. */
  count<Machine extends AnyStateMachine>(machine: Machine): Machine {
    const counts = new Map<AnyTransitionDefinition, Counted<TransitionCount>>();
    const always: AnyTransitionDefinition[] = [];
    for (const node of statesIn(machine.root)) {
      const own = node.always ?? [];
      always.push(...own);
      for (const transition of [...node.transitions.values(), own].flat()) {
        counts.set(transition, this.#countOf(machine.id, transition));
      }
    }
    const select = machine.getTransitionData.bind(machine);
    machine.getTransitionData = (snapshot, event) => {
      const taken = select(snapshot, event);
      for (const transition of taken) {
        const counted = counts.get(transition);
        if (counted !== undefined) counted.count += 1;
      }
      return taken;
    };
    const { guards } = machine.implementations as { guards: Record<string, Guard> };
    for (const [name, guard] of Object.entries(guards)) {
      // What needs no event is not selected by one: it is taken when its guard allows it.
      const allows = always.filter((transition) => guardOf(transition) === name);
      const taken = allows.flatMap((transition) => counts.get(transition) ?? []);
      guards[name] = this.#counting(machine.id, name, guard, taken);
    }
    return machine;
  }

  /** Every transition that there is, also those that were never taken. */
  transitions(): readonly TransitionCount[] {
    return [...this.#transitions.values()];
  }

  guards(): readonly GuardCount[] {
    return [...this.#guards.values()];
  }

  #countOf(machine: string, transition: AnyTransitionDefinition): Counted<TransitionCount> {
    const { source, target = [] } = transition;
    const arrow = {
      machine,
      from: source.id,
      to: target[0]?.id ?? null,
      event: eventOf(transition),
      guard: guardOf(transition),
    };
    const key = JSON.stringify(arrow);
    const counted = this.#transitions.get(key) ?? { ...arrow, count: 0 };
    this.#transitions.set(key, counted);
    return counted;
  }

  #counting(
    machine: string,
    name: string,
    guard: Guard,
    taken: readonly Counted<TransitionCount>[],
  ): Guard {
    const key = `${machine} ${name}`;
    const counted = this.#guards.get(key) ?? { machine, guard: name, allowed: 0, refused: 0 };
    this.#guards.set(key, counted);
    return (args, params) => {
      const isAllowed = guard(args, params);
      if (isAllowed) {
        counted.allowed += 1;
        for (const transition of taken) transition.count += 1;
      } else counted.refused += 1;
      return isAllowed;
    };
  }
}

function statesIn(node: AnyStateNode): AnyStateNode[] {
  return [node, ...Object.values(node.states).flatMap(statesIn)];
}

function guardOf({ guard }: AnyTransitionDefinition): string | null {
  return typeof guard === 'string' ? guard : ((guard as { type?: string })?.type ?? null);
}

/** xstate's names of what makes transitions happen, without the places that are in them. */
function eventOf({ eventType, source }: AnyTransitionDefinition): string {
  const delay = source.after.find((delayed) => delayed.eventType === eventType)?.delay;
  if (delay !== undefined) return `after ${delay}`;
  return eventType === '' ? 'always' : eventName(eventType);
}

/** xstate's name of an event as people read it. */
export function eventName(type: string): string {
  return type
    .replace(/^xstate\.(done|error)\.actor\./, '$1 ')
    .replace(/^xstate\.after\.([^.]+)\..*$/, 'after $1')
    .replace(/^xstate\./, '');
}
