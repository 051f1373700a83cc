import type { Scenario } from './scenario.ts';

/**
 * What is left out of the world of a seed: parts by their place, `f2` the third fault, `o0` the
 * first operation, `j4` a job, `n1` a node. And, when it is not null, when everything is healed.
 */
export interface Reduction {
  readonly without: readonly string[];
  readonly activeMs: number | null;
}

export const nothingLeftOut: Reduction = { without: [], activeMs: null };

/** The names of the parts that a world could do without. */
export function partsOf(scenario: Scenario): string[] {
  const names = (letter: string, list: readonly unknown[]) => list.map((_, at) => `${letter}${at}`);
  return [
    ...names('f', scenario.faults),
    ...names('o', scenario.operations),
    ...names('n', scenario.nodes),
    ...names('j', scenario.jobs),
  ];
}

/** The parts that are left in. */
export function partsLeft(scenario: Scenario, without: readonly string[]): string[] {
  return partsOf(scenario).filter((part) => !without.includes(part));
}

/** The world of a seed without those parts. What is left behaves as it did, but for its luck. */
export function reduceScenario(scenario: Scenario, { without, activeMs }: Reduction): Scenario {
  const isOut = new Set(without);
  const keep = <T>(letter: string, list: readonly T[]): T[] =>
    list.filter((_, place) => !isOut.has(`${letter}${place}`));
  return {
    ...scenario,
    nodes: keep('n', scenario.nodes),
    jobs: keep('j', scenario.jobs),
    faults: keep('f', scenario.faults),
    operations: keep('o', scenario.operations),
    activeMs: activeMs ?? scenario.activeMs,
  };
}
