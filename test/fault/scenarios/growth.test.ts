import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wholeLine } from '../../../src/domain/run/share.ts';
import { listRuns } from '../../../src/store/runs/listRuns.ts';
import { runsOf } from '../../store/verify/assertAccounted.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { lastFirst } from '../../support/lastFirst.ts';
import { makeStoreWorld, makeStoreWorldAt, type StoreWorld } from '../../support/storeWorld.ts';
import { startFaultEngine } from '../engines/startFaultEngine.ts';

await forEachEngine((engine) => {
  test('30 million missed ticks are one make-up and one row, at the price of ten', async (t) => {
    const world = await makeStoreWorld(t, engine);
    const node = await world.join('a');
    const tookMs = new Map<number, number>();
    for (const missed of [10, 30_000_000]) {
      let sum = 0;
      // Every second, and an expression that names few of them.
      for (const schedule of ['* * * * * *', '*/7 3-5 * * 1-5', '30 2 * * *']) {
        let leastMs = Number.POSITIVE_INFINITY;
        for (let time = 0; time < 4; time += 1) {
          const name = `${schedule} ${missed} ${time}`;
          const jobId = await world.addJob(name, { schedule, dueInMs: -missed * 1_000 });
          await world.rows(`UPDATE job_revision SET in_force_from = NOW(3) - INTERVAL 1 YEAR`);
          const began = performance.now();
          const [launch, ...others] = await node.claim();
          leastMs = Math.min(leastMs, performance.now() - began);
          assert.ok(launch);
          assert.deepEqual(others, []);
          const rows = await runsOf(world, jobId);
          assert.ok(rows.length <= 1);
          if (schedule !== '* * * * * *') continue;
          assert.equal(launch.trigger, 'misfire');
          const [range] = rows;
          assert.equal(range?.result, 'missed');
          assert.ok(range.ticks >= missed && range.ticks < missed + 60);
          assert.equal(range.scheduled_until.getTime(), launch.scheduledForMs - 1_000);
        }
        sum += leastMs;
      }
      tookMs.set(missed, sum);
    }
    const [few = 0, many = 0] = [...tookMs.values()];
    t.diagnostic(`3 claims: ${few.toFixed(1)} ms over ten, ${many.toFixed(1)} over 30 million`);
    assert.ok(many < 20 * few + 100, 'not by their number');
  });

  test('30,000 run rows with gaps in their ids cost the life of a launch nothing', async (t) => {
    const scope = lastFirst(t);
    // Alone on a server, whose own counters then tell what all connections read.
    const server = await startFaultEngine(engine, { faketime: false });
    scope.after(() => server.close());
    const [member] = server.members;
    assert.ok(member);
    const url = member.userUrl(await server.createDatabase());
    const world = await makeStoreWorldAt(scope, url);
    await world.addJob('first', { dueInMs: -5_000 });
    const before = await readsOfALife(world);
    await fillHistory(world, 30_000);
    await world.addJob('second', { dueInMs: -5_000 });
    const after = await readsOfALife(world);
    t.diagnostic(`rows read: ${before} with an empty history, ${after} with a full one`);
    assert.ok(after < before + 1_000);
    const listed = [];
    for await (const run of listRuns(world.channel, { runsMax: 3_000 })) {
      listed.push(run.launchId ?? `${run.job} ${run.scheduledForMs}`);
    }
    assert.equal(new Set(listed).size, 3_000, 'page after page, over the gaps');
  });
});

/** Looks, a claim, a start, a finish, what an operator sees of it; resolves to the rows read. */
async function readsOfALife(world: StoreWorld): Promise<number> {
  const node = await world.join(`node${performance.now()}`);
  const { store } = node;
  const before = await rowsRead(world);
  const horizon = { nodeName: 'a', share: wholeLine, aheadMs: 0, aheadAnywhereMs: 0 };
  assert.equal((await store.peekDue(horizon, 10)).slots, 1);
  const [launch] = await node.claim(1);
  assert.ok(launch);
  assert.deepEqual(await node.start(launch), { verdict: 'done' });
  const { own, overdue } = await store.lookAtHeld();
  assert.deepEqual([own.length, overdue.length], [1, 0]);
  assert.deepEqual(await node.finish(launch), { verdict: 'done' });
  let listed = 0;
  for await (const run of listRuns(world.channel, { runsMax: 10 })) listed += run.ticks;
  assert.ok(listed > 0);
  // The next tick is claimed by nobody: it would be due before the second life.
  await world.rows('UPDATE slot SET next_run_at = NULL, cursor_at = NULL');
  return (await rowsRead(world)) - before;
}

async function rowsRead(world: StoreWorld): Promise<number> {
  const rows = await world.rows("SHOW GLOBAL STATUS LIKE 'Handler_read%'");
  return rows.reduce((sum, { Value: value }) => sum + Number(value), 0);
}

/** Run rows in batches, every other one rolled back, so that their ids have gaps. */
async function fillHistory(world: StoreWorld, count: number): Promise<void> {
  const columns = `job_id, revision, launch_id, triggered_by, attempt, scheduled_for, started_at,
    ended_at, result`;
  const one = `SELECT 1, 1, UUID(), 'schedule', 1, NOW(3), NOW(3), NOW(3) - INTERVAL 1 DAY,
    'succeeded'`;
  await world.rows(`INSERT INTO run (${columns}) ${one}`);
  for (let rows = 1; rows < count; rows *= 2) {
    const batch = `INSERT INTO run (${columns}) ${one} FROM run`;
    await world.channel.use(async (connection) => {
      await connection.query('START TRANSACTION');
      await connection.query(`${batch} LIMIT 1000`);
      await connection.query('ROLLBACK');
      await connection.query(batch);
    });
  }
  await world.rows('ANALYZE TABLE run');
}
