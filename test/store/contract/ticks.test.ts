import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allStripes } from '../../../src/domain/run/stripes.ts';
import { forEachStore } from './forEachStore.ts';

await forEachStore((makeWorld) => {
  test('a day of missed seconds is one make-up and one range row', async (t) => {
    const world = await makeWorld(t);
    await world.addJob('down', { dueInMs: -86_000_000 });
    const node = await world.join('a');
    const [launch] = await node.claim();
    assert.ok(launch);
    assert.equal(launch.trigger, 'misfire');
    const [range, ...more] = await world.runs('down');
    assert.equal(more.length, 0);
    assert.equal(range?.result, 'missed');
    assert.equal(range?.scheduledUntilMs, launch.scheduledForMs - 1000);
    const between = launch.scheduledForMs - (range?.scheduledForMs ?? 0);
    assert.equal(range?.ticks, between / 1000, 'every second is counted once');
    assert.equal((await world.slot('down')).cursorMs, launch.scheduledForMs + 1000);
  });

  test('ticks that fall into a run are skipped, not made up', async (t) => {
    const world = await makeWorld(t);
    await world.addJob('slow');
    const node = await world.join('a');
    const [launch] = await node.claim();
    assert.ok(launch);
    await node.start(launch);
    await world.age('slow', 5);
    await node.finish(launch);
    const [next] = await node.claim();
    const rows = await world.runs('slow');
    const [skipped, ...more] = rows.filter(({ result }) => result === 'skipped');
    assert.equal(more.length, 0);
    assert.ok(skipped !== undefined && skipped.ticks >= 4, `${skipped?.ticks} ticks`);
    const untilMs = skipped.scheduledUntilMs ?? 0;
    const missed = rows.find((row) => row.result === 'missed' && row.scheduledForMs > untilMs);
    const first = missed?.scheduledForMs ?? next?.scheduledForMs;
    assert.equal(first, untilMs + 1000, 'nothing is left between');
    assert.equal((await world.slot('slow')).cursorMs, (next?.scheduledForMs ?? 0) + 1000);
  });

  test('ticks after the life of a lost node are missed and made up for, not skipped', async (t) => {
    const world = await makeWorld(t);
    await world.addJob('down', { dueInMs: -100_000 });
    const dead = await world.join('dead', { ttlMs: 10_000 });
    const beganMs = performance.now();
    const [launch] = await dead.claim();
    assert.ok(launch);
    await dead.start(launch);
    // The run began 60 s ago, and the node was last heard of 50 s ago, with a TTL of 10 s.
    await world.age('down', 60);
    await world.ageSession(dead.sessionId, 50);
    const tookSeconds = (performance.now() - beganMs) / 1_000;
    const heir = await world.join('heir');
    await heir.store.endSession(dead.sessionId, 'test', null);
    await heir.ask({ kind: 'reap', sessionId: dead.sessionId, stripes: allStripes });
    const before = (await world.runs('down')).length;
    const [makeUp] = await heir.claim();
    assert.equal(makeUp?.trigger, 'misfire');
    const [skipped, missed] = (await world.runs('down')).slice(before);
    assert.deepEqual([skipped?.result, missed?.result], ['skipped', 'missed']);
    const counts = [skipped?.ticks ?? 0, missed?.ticks ?? 0] as const;
    assert.ok(counts[0] >= 18 && counts[0] <= 22 + tookSeconds, `${counts[0]} skipped`);
    assert.ok(counts[1] >= 35, `${counts[1]} missed`);
  });
});
