import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

/**
 * As `bootNowMs` has it at best: the boot clock less the monotonic one, to a fraction of one ms.
 */
function offsetMs(): number {
  const uptimeMs = () => 1_000 * Number(readFileSync('/proc/uptime', 'latin1').split(' ', 1)[0]);
  const seen = Array.from({ length: 50 }, () => {
    const first = uptimeMs();
    for (;;) {
      const now = uptimeMs();
      if (now !== first) return now - performance.now();
    }
  });
  return Math.max(...seen);
}

test('the boot clock is told exactly by a process that had to wait for a processor', async (t) => {
  // Anew, since it measures once, and another test of this process may have had it do so.
  const { bootNowMs } = (await import(
    `./bootNow.ts?${process.pid}`
  )) as typeof import('./bootNow.ts');
  const now = performance.now.bind(performance);
  let reads = 0;
  const mocked = t.mock.method(performance, 'now', () => {
    reads += 1;
    const stopMs = now() + (reads <= 3 ? 20 : 0);
    while (now() < stopMs); // somebody else's turn
    return now();
  });
  bootNowMs();
  mocked.mock.restore();
  const behindMs = offsetMs() - (bootNowMs() - performance.now());
  assert.ok(Math.abs(behindMs) < 5, `${behindMs} ms behind`);
});
