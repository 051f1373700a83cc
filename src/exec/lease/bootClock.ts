import { uptime } from 'node:os';

/**
 * Milliseconds since the host was booted, time in suspend included (CLOCK_BOOTTIME). It never jumps
 * with the wall clock and is the same for every process of the host, so a deadline on it can be
 * handed from one process to another. Grain: 10 ms, rounded down, where libuv reads /proc/uptime.
 */
export function bootMs(): number {
  return uptime() * 1000;
}

/** What a comparison has to add to `bootMs()` so that a deadline is never taken for a later one. */
export const bootClockGrainMs = 10;
