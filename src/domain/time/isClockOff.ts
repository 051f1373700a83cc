const offsetMsMax = 1_000;

/** Whether two clocks differ, when one was read by a request that took so long. */
export function isClockOff(offsetMs: number, tookMs: number): boolean {
  return Math.abs(offsetMs) > offsetMsMax + tookMs;
}
