import { setTimeout as sleep } from 'node:timers/promises';

/** Asks again and again until the answer is true; throws after the time. */
export async function pollUntil(
  what: string,
  withinMs: number,
  isTrue: () => Promise<boolean>,
  periodMs = 200,
): Promise<void> {
  const deadlineMs = performance.now() + withinMs;
  while (!(await isTrue())) {
    if (performance.now() > deadlineMs) throw new Error(`not within ${withinMs} ms: ${what}`);
    await sleep(periodMs);
  }
}
