import type { JobDefinition } from '../job/jobDefinition.ts';

interface FollowOrder {
  /** Each after those that it follows; else as they stood. */
  readonly ordered: readonly JobDefinition[];
  /** The names of jobs of which each follows the next, and the last the first; null: none do. */
  readonly cycle: readonly string[] | null;
}

/**
 * Puts jobs in an order in which each can be made. Goes up from each job to what it follows without
 * calling itself, as a file may have a chain of more jobs than a stack bears.
 */
export function followOrder(definitions: Iterable<JobDefinition>): FollowOrder {
  const byName = new Map([...definitions].map((definition) => [definition.name, definition]));
  const ordered = new Set<JobDefinition>();
  let cycle: readonly string[] | null = null;
  const way: { readonly definition: JobDefinition; next: number }[] = [];
  const onWay = new Set<string>();
  const enter = (definition: JobDefinition): void => {
    way.push({ definition, next: 0 });
    onWay.add(definition.name);
  };
  for (const first of byName.values()) {
    if (!ordered.has(first)) enter(first);
    for (let step = way.at(-1); step !== undefined; step = way.at(-1)) {
      const { definition } = step;
      const name = definition.after?.[step.next]?.job;
      step.next += 1;
      if (name === undefined) {
        way.pop();
        onWay.delete(definition.name);
        ordered.add(definition);
        continue;
      }
      const upstream = byName.get(name);
      if (upstream === undefined || ordered.has(upstream)) continue;
      if (!onWay.has(name)) enter(upstream);
      else cycle ??= [...onWay].slice([...onWay].indexOf(name));
    }
  }
  return { ordered: [...ordered], cycle };
}
