import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeReusedWorld } from '../../support/storeWorld.ts';

await forEachEngine((engine) => {
  test('a node in another time zone claims, starts and records the same instants', async (t) => {
    const { TZ } = process.env;
    t.after(() => {
      if (TZ === undefined) delete process.env.TZ;
      else process.env.TZ = TZ;
    });
    process.env.TZ = 'Asia/Kathmandu';
    assert.equal(new Date(0).getTimezoneOffset(), -330, 'the zone of 1970 is in force here');
    const world = await makeReusedWorld(t, engine);
    await world.addJob('plain');
    const node = await world.join('a');
    const [launch] = await node.claim();
    assert.ok(launch);
    // Seconds since 1970 are told by the server itself, whatever a client makes of dates.
    const [slot] = await world.rows('SELECT UNIX_TIMESTAMP(scheduled_for) AS at FROM slot');
    assert.equal(launch.scheduledForMs, Number(slot?.at) * 1_000);
    assert.deepEqual(await node.start(launch), { verdict: 'done' });
    assert.deepEqual(await node.finish(launch), { verdict: 'done' });
    const [run] = await world.rows(
      `SELECT UNIX_TIMESTAMP(scheduled_for) AS tick, UNIX_TIMESTAMP(started_at) AS started,
        UNIX_TIMESTAMP() AS now_at FROM run WHERE launch_id IS NOT NULL`,
    );
    assert.equal(Number(run?.tick) * 1_000, launch.scheduledForMs);
    assert.ok(Math.abs(Number(run?.started) - Number(run?.now_at)) < 60);
  });
});
