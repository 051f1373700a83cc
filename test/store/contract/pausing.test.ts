import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allStripes } from '../../../src/domain/run/stripes.ts';
import { addressOf, forEachStore } from './forEachStore.ts';

await forEachStore((makeWorld) => {
  test('a job that is paused by its lost runs gives up every slot of it at once', async (t) => {
    const world = await makeWorld(t);
    await world.place('three', { parallel: 3, failuresMax: 1 });
    const dead = await world.join('dead');
    const launches = await dead.claim();
    assert.equal(launches.length, 3);
    const before = await world.runs('three');
    await world.age('three', 60);
    const [first, second, prepared] = launches;
    assert.ok(first && second && prepared);
    for (const launch of [first, second]) {
      const start = { kind: 'start', ...addressOf(launch), waitUntilMs: null } as const;
      assert.deepEqual(await dead.ask(start), { verdict: 'done' });
    }
    const heir = await world.join('heir');
    await heir.store.endSession(dead.sessionId, 'test', null);
    const reap = { kind: 'reap', sessionId: dead.sessionId, stripes: allStripes } as const;
    assert.deepEqual(await heir.ask(reap), { verdict: 'reaped', stripes: allStripes, slots: 3 });
    assert.deepEqual(await world.nodeSlots('three'), [' idle', ' idle', ' idle']);
    assert.deepEqual(await world.pending('three'), []);
    assert.deepEqual(await heir.claim(), [], 'no slot of it has a tick left');
    const runs = (await world.runs('three')).slice(before.length);
    assert.equal(runs.filter(({ result }) => result === 'lost').length, 2);
    const ranges = runs
      .map((run) => [run.scheduledForMs, run.scheduledUntilMs ?? run.scheduledForMs] as const)
      .sort(([one], [other]) => one - other);
    for (const [place, [fromMs]] of ranges.entries()) {
      const [, earlierMs] = ranges[place - 1] ?? [0, 0];
      assert.ok(earlierMs < fromMs, 'a tick is accounted for twice');
    }
    const heldMs = prepared.scheduledForMs - 60_000;
    const isTold = ranges.some(([fromMs, untilMs]) => fromMs <= heldMs && heldMs <= untilMs);
    assert.ok(isTold, 'the tick that was prepared is accounted for');
  });
});
