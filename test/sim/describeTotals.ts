import { type SimTotals, transitionsOf } from './simTotals.ts';
import { uncovered } from './uncovered.ts';

/** The end of a run for people, and whether all that can be taken was taken. */
export function describeTotals(
  totals: SimTotals,
  seconds: number,
): { readonly text: string; readonly isCovered: boolean } {
  const { seeds, launches, events, chartTransitions, watched, violations, failing } = totals;
  const missing = uncovered(totals);
  const missed = [...missing.arrows, ...missing.transitions];
  const faults = Object.values(totals.faults).reduce((sum, times) => sum + times, 0);
  const lines = [
    `${number(seeds)} worlds in ${seconds.toFixed(0)} s (${(seeds / seconds).toFixed(1)}/s)`,
    `${number(transitionsOf(totals))} transitions of slots, ${number(launches)} children, ` +
      `${number(events)} events`,
    ...counts(totals.arrows),
    `${number(chartTransitions)} transitions of charts in ${number(watched)} worlds; ` +
      `${missing.charted - missing.transitions.length} of ${missing.charted} are accounted for`,
    `${number(faults)} faults`,
    ...counts(totals.faults),
    ...(missed.length === 0 ? [] : ['Never taken:', ...missed.map((key) => `  ${key}`)]),
    ...(missing.unexpected.length === 0
      ? []
      : ['Came where it never should:', ...missing.unexpected.map((key) => `  ${key}`)]),
    `${number(violations)} violations${failing.length === 0 ? '' : ` in ${failing.join(', ')}`}`,
  ];
  return {
    text: lines.join('\n'),
    isCovered: missed.length === 0 && missing.unexpected.length === 0,
  };
}

function counts(of: Readonly<Record<string, number>>): string[] {
  return Object.entries(of)
    .sort()
    .map(([key, times]) => `  ${number(times).padStart(10)}  ${key}`);
}

const number = (value: number): string => value.toLocaleString('en');
