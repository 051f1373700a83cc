import type { History } from '../../checkers/history.ts';
import { judge } from '../../checkers/judge.ts';
import type { Rule } from '../../checkers/violation.ts';

/** What the judge has to say of a run that goes on. */
export interface SoFar {
  /** What happened until then was judged; of the boot clock. */
  readonly untilMs: number;
  /** The rules that were broken by then. */
  readonly broken: ReadonlyMap<Rule, Broken>;
}

export interface Broken {
  readonly times: number;
  /** One sentence about the first time. */
  readonly first: string;
}

/** Judges a history that ends in the middle of a run, and counts by rules. */
export function countSoFar(history: History): SoFar {
  const broken = new Map<Rule, Broken>();
  for (const { rule, what } of judge(history)) {
    const { times, first } = broken.get(rule) ?? { times: 0, first: what };
    broken.set(rule, { times: times + 1, first });
  }
  return { untilMs: history.about.readMs, broken };
}

/** What was once broken stays so, whatever a later look says: only the end decides. */
export function addSoFar(before: SoFar | null, now: SoFar): SoFar {
  const broken = new Map(before?.broken);
  for (const [rule, found] of now.broken) {
    const { times, first } = broken.get(rule) ?? found;
    broken.set(rule, { times: Math.max(times, found.times), first });
  }
  return { ...now, broken };
}
