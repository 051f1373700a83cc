import { setTimeout as delay } from 'node:timers/promises';

type Found<T> = T | null | undefined | false;

/** Waits until something is so, which a 0 is, too; fails, naming it, when it is not within time. */
export async function until<T>(
  what: string,
  probe: () => Promise<Found<T>> | Found<T>,
  withinMs = 30_000,
): Promise<T> {
  const began = performance.now();
  for (;;) {
    // The last look begins after the time: where the machine stood still it counts what came then.
    const isLast = performance.now() - began > withinMs;
    const found = await probe();
    if (found !== null && found !== undefined && found !== false) return found;
    if (isLast) throw new Error(`Not within ${withinMs} ms: ${what}`);
    await delay(10);
  }
}

/** How long it takes until something is so, in milliseconds. */
export async function msUntil(
  what: string,
  probe: () => Promise<Found<unknown>> | Found<unknown>,
  withinMs: number,
): Promise<number> {
  const began = performance.now();
  await until(what, probe, withinMs);
  return Math.round(performance.now() - began);
}

/** The value of a promise; fails, naming it, when it is not there within the time. */
export async function within<T>(what: string, promise: Promise<T>, withinMs = 30_000): Promise<T> {
  const clock = new AbortController();
  const late = delay(withinMs, undefined, { signal: clock.signal }).then(
    () => Promise.reject(new Error(`Not within ${withinMs} ms: ${what}`)),
    () => promise, // the clock was stopped, so it is there
  );
  try {
    return await Promise.race([promise, late]);
  } finally {
    clock.abort();
  }
}
