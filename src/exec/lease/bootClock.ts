import { uptime } from 'node:os';

/**
 * Milliseconds since the host was booted, suspend included (CLOCK_BOOTTIME): the same for every
 * process of the host, whatever the wall clock does. Grain: 10 ms, rounded down.
 */
export function bootMs(): number {
  return uptime() * 1000;
}

/** What a comparison has to add to `bootMs()` so that a deadline is never taken for a later one. */
export const bootClockGrainMs = 10;
