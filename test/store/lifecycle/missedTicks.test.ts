import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allStripes } from '../../../src/domain/run/stripes.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeReusedWorld } from '../../support/storeWorld.ts';

await forEachEngine((engine) => {
  test('a day of missed seconds is one make-up and one range row', async (t) => {
    const world = await makeReusedWorld(t, engine);
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
    const world = await makeReusedWorld(t, engine);
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

  test('ticks after the life of a lost node are missed and made up for, not skipped', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await world.addJob('down', { dueInMs: -100_000 });
    const dead = await world.join('dead');
    const beganMs = performance.now();
    const [launch] = await dead.claim();
    assert.ok(launch);
    await dead.start(launch);
    // The run began 60 s ago, and the node was last heard of 50 s ago, with a TTL of 10 s.
    await world.rows(`UPDATE slot SET scheduled_for = scheduled_for - INTERVAL 60 SECOND,
      cursor_at = cursor_at - INTERVAL 60 SECOND, started_at = started_at - INTERVAL 60 SECOND`);
    await world.rows('UPDATE session SET ttl_ms = 10000, renewed_at = NOW(3) - INTERVAL 50 SECOND');
    const tookSeconds = (performance.now() - beganMs) / 1_000;
    const heir = await world.join('heir');
    await heir.store.endSession(dead.sessionId, 'test', null);
    await heir.ask({ kind: 'reap', sessionId: dead.sessionId, stripes: allStripes });
    await world.rows("DELETE FROM run WHERE result = 'missed'");
    const [makeUp] = await heir.claim();
    assert.equal(makeUp?.trigger, 'misfire');
    const rows = await world.rows('SELECT result, ticks FROM run ORDER BY scheduled_for');
    assert.deepEqual(
      rows.map(({ result }) => result),
      ['lost', 'skipped', 'missed'],
    );
    const skipped = Number(rows[1]?.ticks);
    assert.ok(skipped >= 18 && skipped <= 22 + tookSeconds, `${skipped} skipped`);
    assert.ok(rows[2]?.ticks >= 35, `${rows[2]?.ticks} missed`);
  });
});
