/** A range of time that is drawn from left to right. */
export interface TimeRange {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Where an instant stands in the range, from 0 to 1; outside it less or more. */
export function shareOf({ fromMs, untilMs }: TimeRange, ms: number): number {
  return (ms - fromMs) / (untilMs - fromMs);
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** How far marks may be apart, so that they stand at round times. */
const stepsMs = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * minuteMs),
  ...[1, 2, 3, 6, 12].map((hours) => hours * hourMs),
  ...[1, 2, 7, 14, 30, 90].map((days) => days * dayMs),
];

/**
 * Round instants in a range, at most so many.
 * @param offsetMs how far the clocks of the reader's zone are from UTC at an instant
 */
export function roundTimes(
  { fromMs, untilMs }: TimeRange,
  most: number,
  offsetMs: (ms: number) => number,
): { readonly times: readonly number[]; readonly stepMs: number } {
  const stepMs = stepsMs.find((step) => (untilMs - fromMs) / step <= most) ?? untilMs - fromMs;
  const times: number[] = [];
  const first = Math.ceil((fromMs + offsetMs(fromMs)) / stepMs) * stepMs;
  for (let local = first; times.length <= most; local += stepMs) {
    // At a change of the clocks it is off by that hour at most.
    const ms = local - offsetMs(local - offsetMs(fromMs));
    if (ms > untilMs) break;
    if (ms >= fromMs) times.push(ms);
  }
  return { times, stepMs };
}

/** Marks so far apart are days. */
export function areDays(stepMs: number): boolean {
  return stepMs >= dayMs;
}
