import type { Violation } from '../checkers/violation.ts';
import { judgeScenario } from './judgeScenario.ts';
import { nothingLeftOut, partsOf, type Reduction, reduceScenario } from './reduceScenario.ts';
import type { Scenario } from './scenario.ts';

/** The smallest world that was found in which the same rule is still broken. */
export interface Shrunk {
  readonly reduction: Reduction;
  readonly violations: readonly Violation[];
  /** How many worlds were run to find it. */
  readonly tries: number;
}

/** About half a minute. */
const triesMax = 150;
const activeMsMin = 2_000;

/**
 * Leaves out of a failing world what its failure does not need: halves of all parts, then quarters,
 * down to single ones; then time. The first broken rule has to stay broken.
 */
export async function shrinkScenario(
  scenario: Scenario,
  violations: readonly Violation[],
): Promise<Shrunk> {
  const rule = violations[0]?.rule;
  let best: Shrunk = { reduction: nothingLeftOut, violations, tries: 0 };
  let tries = 0;
  const attempt = async (reduction: Reduction): Promise<boolean> => {
    const reduced = reduceScenario(scenario, reduction);
    if (tries >= triesMax || reduced.nodes.length === 0 || reduced.jobs.length === 0) return false;
    tries += 1;
    const found = (await judgeScenario(reduced)).violations;
    if (!found.some((violation) => violation.rule === rule)) return false;
    best = { reduction, violations: found, tries };
    return true;
  };
  await shortenTime(scenario, () => best, attempt);
  let parts = partsOf(scenario);
  for (let size = Math.ceil(parts.length / 2); size >= 1; size = size === 1 ? 0 : size >> 1) {
    for (let from = 0; from < parts.length; ) {
      const chunk = parts.slice(from, from + size);
      const { without, activeMs } = best.reduction;
      if (await attempt({ without: [...without, ...chunk], activeMs })) {
        parts = parts.filter((part) => !chunk.includes(part));
      } else {
        from += size;
      }
    }
  }
  await shortenTime(scenario, () => best, attempt);
  return { ...best, tries };
}

async function shortenTime(
  scenario: Scenario,
  best: () => Shrunk,
  attempt: (reduction: Reduction) => Promise<boolean>,
): Promise<void> {
  for (const share of [0.5, 0.75, 0.9]) {
    for (;;) {
      const { without, activeMs } = best().reduction;
      const shorterMs = Math.round((activeMs ?? scenario.activeMs) * share);
      if (shorterMs < activeMsMin || !(await attempt({ without, activeMs: shorterMs }))) break;
    }
  }
}
