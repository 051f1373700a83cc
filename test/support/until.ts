import { setTimeout as delay } from 'node:timers/promises';

type Found<T> = T | null | undefined | false;

/** A machine that is busy with other things takes many times as long as one that is not. */
const usualMsMax = 90_000;

/** Waits until something is so, which a 0 is, too; fails, naming it, when it is not within time. */
export async function until<T>(
  what: string,
  probe: () => Promise<Found<T>> | Found<T>,
  withinMs = usualMsMax,
): Promise<T> {
  const began = performance.now();
  for (;;) {
    const waitedMs = performance.now() - began;
    // The last look begins after the time: where the machine stood still it counts what came then.
    const isLast = waitedMs > withinMs;
    const found = await probe();
    if (found !== null && found !== undefined && found !== false) return found;
    if (isLast) throw new Error(`Not within ${withinMs} ms: ${what}`);
    // A look is often a query, and what takes long need not be seen at once.
    await delay(Math.min(200, 10 + waitedMs / 40));
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
export async function within<T>(
  what: string,
  promise: Promise<T>,
  withinMs = usualMsMax,
): Promise<T> {
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
