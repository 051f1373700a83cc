import type { Violation } from '../../checkers/violation.ts';

/** How many of each promise and rule. */
export function countBroken(violations: readonly Violation[]): Record<string, number> {
  const broken: Record<string, number> = {};
  for (const { promise, rule } of violations) {
    const key = `${promise} ${rule}`;
    broken[key] = (broken[key] ?? 0) + 1;
  }
  return broken;
}
