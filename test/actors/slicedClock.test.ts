import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ActorClock, createSlicedClock } from '../../src/actors/runtime/slicedClock.ts';

const timers = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

test('a stopped clock fires nothing more and holds nothing alive', async () => {
  const clock = createSlicedClock();
  const fired: string[] = [];
  clock.setTimeout(() => fired.push('before'), 1);
  await once(clock, 5);
  const before = timers();
  clock.setTimeout(() => fired.push('waiting'), 10);
  clock.setTimeout(() => fired.push('far'), 60_000);
  assert.equal(timers(), before + 2);
  clock.stop();
  clock.setTimeout(() => fired.push('after'), 1);
  assert.equal(timers(), before);
  await sleep(30); // the delays that must not fire
  assert.deepEqual(fired, ['before']);
});

test('a delay that was cleared does not fire, and is forgotten', async () => {
  const clock = createSlicedClock();
  const fired: string[] = [];
  await once(clock, 5);
  const before = timers();
  clock.clearTimeout(clock.setTimeout(() => fired.push('cleared'), 1));
  assert.equal(timers(), before);
  await once(clock, 5);
  assert.deepEqual(fired, []);
});

function once(clock: ActorClock, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    clock.setTimeout(resolve, delayMs);
  });
}
