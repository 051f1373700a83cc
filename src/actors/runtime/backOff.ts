/**
 * How long to wait before the next try: doubling from the least to the most, with jitter downwards
 * by up to a half, so that those who failed together do not come back together. Milliseconds.
 */
export function backOff(msMin: number, msMax: number, failures: number, random: number): number {
  return Math.min(msMax, msMin * 2 ** Math.min(failures, 16)) * (0.5 + random / 2);
}
