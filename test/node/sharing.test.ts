import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/until.ts';
import { countStalls } from '../support/watchStalls.ts';
import { patient } from './nodeProcess.ts';
import { makeNodeWorld, type NodeWorld } from './nodeWorld.ts';

async function databaseNowMs(world: NodeWorld): Promise<number> {
  const [row] = await world.rows('SELECT NOW(3) AS at');
  assert.ok(row);
  return row.at.getTime();
}

test('two nodes share 60 jobs a second: each tick once, none early, none lost', async (t) => {
  const world = await makeNodeWorld(t);
  const nodes = [world.start('a', patient), world.start('b', patient)];
  const sessions = await Promise.all(nodes.map((node) => node.session()));
  for (let number = 1; number <= 60; number += 1) await world.add(`job${number}`, '* * * * * *');
  const shares = () =>
    Promise.all(
      sessions.map(({ sessionId }) =>
        world.count("run WHERE session_id = ? AND result = 'succeeded'", [sessionId]),
      ),
    );
  const beganMs = await databaseNowMs(world);
  // The stripes are dealt evenly, but a job of every second leaves its owner little time to see it.
  await until('both have a share', async () => Math.min(...(await shares())) >= 60, 60_000);
  await until('ten seconds', async () => (await databaseNowMs(world)) > beganMs + 10_000);
  const ranSoFar = async () => (await shares()).reduce((sum, each) => sum + each, 0);
  await until('half of the ticks of ten seconds', async () => (await ranSoFar()) >= 300, 120_000);
  for (const { guardian } of nodes) guardian.kill('SIGTERM');
  for (const { exited, log } of nodes) assert.deepEqual(await exited(), [0, null], log());

  assert.equal(await world.count("slot WHERE state <> 'idle'"), 0);
  assert.equal(await world.count("session WHERE state = 'live'"), 0);
  assert.equal(await world.count('run WHERE started_at < scheduled_for'), 0);
  const twice = await world.rows(
    `SELECT job_id, scheduled_for FROM run WHERE is_final = 1 AND scheduled_until IS NULL
     GROUP BY job_id, scheduled_for HAVING COUNT(*) > 1`,
  );
  assert.deepEqual(twice, []);
  await world.requireEveryTick();
  const skipped = await world.count('run WHERE launch_id IS NULL');
  const ran = await shares();
  t.diagnostic(`runs of a and b: ${ran.join(', ')}; ranges without one: ${skipped}`);
  assert.ok((await ranSoFar()) >= 300, 'most ticks ran');
});

test('a job of every second runs every second once and never early', async (t) => {
  const world = await makeNodeWorld(t);
  const node = world.start('one', patient);
  await node.session();
  const stalls = countStalls(world);
  await world.add('tick', '* * * * * *', { command: 'date +%s.%N' });
  await until('fifteen runs', async () => (await world.count('run_output')) >= 15, 60_000);
  node.guardian.kill('SIGTERM');
  assert.deepEqual(await node.exited(), [0, null], node.log());
  await world.requireEveryTick();
  const runs = await world.runs('tick');
  const printed = await world.rows(
    `SELECT CAST(output AS CHAR) AS text, scheduled_for FROM run_output JOIN run USING (launch_id)`,
  );
  assert.ok(printed.length >= 15);
  for (const { text, scheduled_for: tick } of printed) {
    assert.ok(Number(text) * 1000 >= (tick as Date).getTime(), 'by its own clock');
  }
  const late = runs
    .filter(({ started_at }) => started_at !== null)
    .map((run) => run.started_at.getTime() - run.scheduled_for.getTime())
    .sort((a, b) => a - b);
  // Two ticks of a job come too close for a machine that stands still for half the time between.
  const [longestMs, many] = [Math.round(stalls.longestMs()), stalls.longerThan(500)];
  const median = late[late.length >> 1] as number;
  t.diagnostic(`lateness: p50 ${median} ms, max ${late.at(-1)} ms; a stall: ${longestMs} ms`);
  assert.ok((late[0] as number) >= 0);
  assert.ok(median < 500 + longestMs);
  const ranges = runs.filter(({ launch_id }) => launch_id === null);
  assert.ok(ranges.length <= 2 + many, 'every second, but for a machine that stands still');
});
