import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachEngine } from '../support/forEachEngine.ts';
import { makeStoreWorld } from '../support/storeWorld.ts';

await forEachEngine((engine) => {
  test('a day of missed seconds is one make-up and one range row', async (t) => {
    const world = await makeStoreWorld(t, engine);
    await world.addJob('down', { dueInMs: -86_000_000 });
    const node = await world.join('a');
    const [launch] = await node.claim();
    assert.ok(launch);
    assert.equal(launch.trigger, 'misfire');
    const [range, ...more] = await world.rows('SELECT * FROM run');
    assert.equal(more.length, 0);
    assert.equal(range?.result, 'missed');
    assert.equal(range?.scheduled_until.getTime(), launch.scheduledForMs - 1000);
    const between = launch.scheduledForMs - range?.scheduled_for.getTime();
    assert.equal(range?.ticks, between / 1000, 'every second is counted once');
    const [slot] = await world.rows('SELECT cursor_at FROM slot');
    assert.equal(slot?.cursor_at.getTime(), launch.scheduledForMs + 1000);
  });

  test('ticks that fall into a run are skipped, not made up', async (t) => {
    const world = await makeStoreWorld(t, engine);
    await world.addJob('slow');
    const node = await world.join('a');
    const [launch] = await node.claim();
    assert.ok(launch);
    await node.start(launch);
    await world.rows(
      `UPDATE slot SET scheduled_for = scheduled_for - INTERVAL 5 SECOND,
        cursor_at = cursor_at - INTERVAL 5 SECOND, started_at = started_at - INTERVAL 5 SECOND`,
    );
    await node.finish(launch);
    const [next] = await node.claim();
    const [skipped, ...more] = await world.rows("SELECT * FROM run WHERE result = 'skipped'");
    assert.equal(more.length, 0);
    assert.ok(skipped?.ticks >= 4, `${skipped?.ticks} ticks`);
    const [slot] = await world.rows('SELECT cursor_at FROM slot');
    const [missed] = await world.rows(
      "SELECT * FROM run WHERE result = 'missed' AND scheduled_for > ?",
      [skipped?.scheduled_until],
    );
    const first = missed?.scheduled_for.getTime() ?? next?.scheduledForMs;
    assert.equal(first, skipped?.scheduled_until.getTime() + 1000, 'nothing is left between');
    assert.equal(slot?.cursor_at.getTime(), (next?.scheduledForMs ?? 0) + 1000);
  });
});
