import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ResultKeeper } from '../../src/actors/runtime/resultKeeper.ts';
import type { LateResult } from '../../src/domain/run/lateResult.ts';
import type { Execution } from '../../src/domain/run/run.ts';
import { asReason } from '../support/asReason.ts';
import { succeeded } from '../support/testNode.ts';

/** A keeper on a clock that stands until it is moved, over a spool that answers when it is told. */
function makeKeeper() {
  const world = {
    nowMs: 0,
    isRenewalUnanswered: false,
    spooled: new Set<string>(),
    troubles: [] as string[],
    /** What the next writes come to. */
    write: async (): Promise<void> => undefined,
  };
  const timers: { atMs: number; fire: () => void }[] = [];
  const keeper = new ResultKeeper({
    spool: {
      write: async ({ launchId }) => {
        await world.write();
        world.spooled.add(launchId);
      },
      remove: async (launchId) => void world.spooled.delete(launchId),
      list: async () => [...world.spooled],
      read: async () => null,
      ageMs: async () => null,
    },
    clock: {
      setTimeout: (fire, delayMs) => timers.push({ atMs: world.nowMs + delayMs, fire }),
      clearTimeout: () => undefined,
    },
    monotonicNowMs: () => world.nowMs,
    isRenewalUnanswered: () => world.isRenewalUnanswered,
    trouble: (what, error) => void world.troubles.push(`${what}: ${(error as Error).message}`),
  });
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 50) {
      world.nowMs += 50;
      const due = timers.filter(({ atMs }) => atMs <= world.nowMs);
      for (const timer of due) timers.splice(timers.indexOf(timer), 1);
      for (const { fire } of due) fire();
      await settle();
    }
  };
  return { keeper, world, pass, timers };
}

/** What is under way comes to its end, while the clock stands. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 100; turn += 1) await Promise.resolve();
}

function resultOf(launchId: string, more: Partial<Execution> = {}): LateResult {
  return { launchId, endedMs: 0, execution: { ...succeeded, ...more } };
}

test('a result that is acknowledged within a second is never written to the spool', async () => {
  const { keeper, world, pass, timers } = makeKeeper();
  let writes = 0;
  world.write = async () => {
    writes += 1;
  };
  for (let at = 0; at < 100; at += 1) {
    keeper.hold(resultOf(`s:${at}`));
    await pass(900);
    keeper.release(`s:${at}`);
  }
  await pass(5_000);
  assert.equal(writes, 0);
  assert.equal(timers.length, 0, 'what holds nothing costs nothing');
});

test('a result that waits is spooled, and removed when it is acknowledged', async () => {
  const { keeper, world, pass } = makeKeeper();
  for (let at = 0; at < 20; at += 1) keeper.hold(resultOf(`s:${at}`));
  await pass(1_250);
  assert.equal(world.spooled.size, 20);
  keeper.release('s:3');
  await pass(50);
  assert.equal(world.spooled.has('s:3'), false);
  assert.equal(world.spooled.size, 19);
});

test('while the database is out of contact a result is spooled as soon as it comes', async () => {
  const { keeper, world } = makeKeeper();
  keeper.hold(resultOf('s:1'));
  await settle();
  assert.equal(world.spooled.size, 0);
  world.isRenewalUnanswered = true;
  keeper.hold(resultOf('s:2'));
  await settle();
  assert.deepEqual([...world.spooled].sort(), ['s:1', 's:2'], 'and what came just before');
});

test('results that come together out of contact are spooled two at a time', async () => {
  const { keeper, world } = makeKeeper();
  let [underWay, most] = [0, 0];
  world.write = async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    await Promise.resolve();
    underWay -= 1;
  };
  world.isRenewalUnanswered = true;
  for (let at = 0; at < 20; at += 1) keeper.hold(resultOf(`s:${at}`));
  for (let turn = 0; turn < 20; turn += 1) await settle();
  assert.deepEqual([world.spooled.size, most], [20, 2]);
});

test('a result that is released while it is written leaves no file', async () => {
  const { keeper, world, pass } = makeKeeper();
  let letGo = (): void => undefined;
  world.write = () =>
    new Promise((resolve) => {
      letGo = resolve;
    });
  keeper.hold(resultOf('s:1'));
  await pass(1_500);
  keeper.release('s:1');
  letGo();
  await pass(50);
  assert.equal(world.spooled.size, 0);
});

test('a spool that refuses keeps the result in memory and is tried again', async () => {
  const { keeper, world, pass } = makeKeeper();
  world.write = () => Promise.reject(new Error('no space'));
  keeper.hold(resultOf('s:1'));
  await pass(2_000);
  assert.equal(world.troubles.length, 1);
  assert.match(world.troubles[0] ?? '', /memory alone: no space/);
  world.write = async () => undefined;
  await pass(6_000);
  assert.deepEqual([...world.spooled], ['s:1']);
});

test('a spool that was away for a moment is written before a short lease is over', async () => {
  const { keeper, world, pass } = makeKeeper();
  world.isRenewalUnanswered = true;
  world.write = () => Promise.reject(new Error('read-only'));
  keeper.hold(resultOf('s:1'));
  await pass(1_000);
  world.write = async () => undefined;
  await pass(1_500);
  assert.deepEqual([...world.spooled], ['s:1']);
  assert.equal(world.troubles.length, 1, 'and said once');
});

test('what cannot be handed over at the end is tried on', async () => {
  const { keeper, world, pass } = makeKeeper();
  keeper.hold(resultOf('s:1'));
  world.write = () => Promise.reject(new Error('no space'));
  const flushed = keeper.flush();
  await pass(500);
  assert.equal(world.spooled.size, 0);
  world.write = async () => undefined;
  await pass(500);
  assert.deepEqual([...world.spooled], ['s:1']);
  await flushed;
});

test('all that is held is handed over before a process ends', async () => {
  const { keeper, world, pass, timers } = makeKeeper();
  for (let at = 0; at < 10; at += 1) keeper.hold(resultOf(`s:${at}`));
  await keeper.flush();
  assert.equal(world.spooled.size, 10);
  await pass(500);
  assert.equal(timers.length, 0, 'nothing keeps it from ending');
});

test('outputs that wait are bounded together; what is left out is told', () => {
  const { keeper } = makeKeeper();
  const output = new Uint8Array(8 * 1024 * 1024);
  for (let at = 0; at < 32; at += 1) {
    const { execution } = resultOf(`s:${at}`, { output });
    assert.equal(keeper.admit(execution), execution);
    keeper.hold(resultOf(`s:${at}`, { output }));
  }
  const { output: dropped, reason } = keeper.admit({
    ...succeeded,
    output,
    reason: asReason('Stopped.'),
  });
  assert.equal(dropped.byteLength, 0);
  assert.match(reason ?? '', /^Stopped\. Its output \(8388608 bytes\) was dropped/);
  keeper.release('s:0');
  assert.equal(keeper.admit({ ...succeeded, output }).output, output);
});
