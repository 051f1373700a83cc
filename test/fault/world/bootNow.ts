import { readFileSync } from 'node:fs';

/**
 * Milliseconds of the host's boot clock (CLOCK_BOOTTIME) with a grain far below one: the clock of
 * every ledger. The product's own reads /proc/uptime, whose grain is 10 ms; here the same clock is
 * carried on by the monotonic one from an instant at which /proc/uptime was seen to change. (A host
 * that is suspended in the middle of a run spoils the run.)
 */
export function bootNowMs(): number {
  offsetMs ??= measureOffsetMs();
  return performance.now() + offsetMs;
}

let offsetMs: number | null = null;

/**
 * A change is seen late, never early, and on a busy machine by many milliseconds: of several the
 * one that was seen soonest tells. With one alone a loaded machine had the children of a whole run
 * live 2.5 ms longer than their slots.
 */
function measureOffsetMs(): number {
  const offsets = Array.from({ length: changesSeen }, () => {
    const first = uptimeMs();
    for (;;) {
      const now = uptimeMs();
      if (now !== first) return now - performance.now();
    }
  });
  return Math.max(...offsets);
}

/** Ten milliseconds each. */
const changesSeen = 20;

function uptimeMs(): number {
  return Number(readFileSync('/proc/uptime', 'latin1').split(' ', 1)[0]) * 1000;
}
