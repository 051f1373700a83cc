import type { JudgedRun } from './judgeScenario.ts';

/** What a number of worlds came to altogether; plain data, so that workers can send it. */
export interface SimTotals {
  seeds: number;
  events: number;
  launches: number;
  /** The worlds whose charts were watched, for `chartTransitions`. */
  watched: number;
  chartTransitions: number;
  violations: number;
  failing: number[];
  arrows: Record<string, number>;
  faults: Record<string, number>;
  taken: Record<string, number>;
  ignored: Record<string, number>;
}

export function emptyTotals(): SimTotals {
  return {
    seeds: 0,
    events: 0,
    launches: 0,
    watched: 0,
    chartTransitions: 0,
    violations: 0,
    failing: [],
    arrows: {},
    faults: {},
    taken: {},
    ignored: {},
  };
}

/** Adds one world. */
export function addRun(totals: SimTotals, seed: number, run: JudgedRun): void {
  const { history, coverage, violations } = run;
  totals.seeds += 1;
  totals.events += run.events;
  totals.launches += history.processes.length;
  totals.violations += violations.length;
  if (violations.length > 0) totals.failing.push(seed);
  if (coverage.taken.size > 0) totals.watched += 1;
  for (const times of coverage.taken.values()) totals.chartTransitions += times;
  addCounts(totals.arrows, run.arrows);
  addCounts(totals.taken, coverage.taken);
  addCounts(totals.ignored, coverage.ignored);
  for (const { kind } of run.faults) totals.faults[kind] = (totals.faults[kind] ?? 0) + 1;
}

/** Adds what another worker has counted. */
export function addTotals(totals: SimTotals, other: SimTotals): void {
  for (const field of counted) totals[field] += other[field];
  totals.failing = [...totals.failing, ...other.failing].sort((one, two) => one - two);
  for (const field of ['arrows', 'faults', 'taken', 'ignored'] as const) {
    addCounts(totals[field], Object.entries(other[field]));
  }
}

/** Arrows that were committed on slot rows. */
export function transitionsOf({ arrows }: SimTotals): number {
  return Object.values(arrows).reduce((sum, times) => sum + times, 0);
}

const counted = [
  'seeds',
  'events',
  'launches',
  'watched',
  'chartTransitions',
  'violations',
] as const;

function addCounts(counts: Record<string, number>, more: Iterable<readonly [string, number]>) {
  for (const [key, times] of more) counts[key] = (counts[key] ?? 0) + times;
}
