import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type HistoryKeep,
  historyDefaults,
  nothingToClean,
} from '../../../src/domain/commit/historyKeep.ts';
import { allStripes } from '../../../src/domain/run/stripes.ts';
import type { Row } from '../../../src/store/connection/channel.ts';
import { HistoryCleaner } from '../../../src/store/history/historyCleaner.ts';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import { editJob, pauseJob, removeJob } from '../../../src/store/jobs/changes/changeJob.ts';
import { verifyDatabase } from '../../../src/store/verify/verifyDatabase.ts';
import { holdStripes } from '../../actors/holdStripes.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeHeldWorld } from '../../support/heldClock.ts';
import { makeReusedWorld, type StoreWorld } from '../../support/storeWorld.ts';
import type { TestNode } from '../../support/testNode.ts';
import { startNext } from '../lifecycle/policies/policyJob.ts';
import { definitionOf } from '../verify/assertAccounted.ts';

async function clean({ store }: TestNode, keep: HistoryKeep = historyDefaults): Promise<number> {
  let rows = 0;
  for (;;) {
    const step = await store.cleanHistory(keep);
    rows += step.rows;
    if (!step.isMore) return rows;
  }
}

/** By a clock that is so much further at each look. */
function slowCleaner(world: StoreWorld, sessionId: string, lookMs: number): HistoryCleaner {
  let nowMs = 0;
  return new HistoryCleaner(world.channel, sessionId, () => {
    nowMs += lookMs;
    return nowMs;
  });
}

/** How many rows each of so many steps took away, or of fewer when all are done. */
async function stepsOf(
  cleaner: HistoryCleaner,
  steps: number,
  keep: HistoryKeep = historyDefaults,
): Promise<number[]> {
  const rows: number[] = [];
  for (let at = 0; at < steps; at += 1) {
    const step = await cleaner.step(keep);
    rows.push(step.rows);
    if (!step.isMore) break;
  }
  return rows;
}

/** Outputs do not go by their age. */
const withOutputs: HistoryKeep = { ...historyDefaults, outputDays: 1_000 };

const passIsDue = (world: StoreWorld) =>
  world.rows('UPDATE cleaning SET due_at = NOW(3), until_at = NOW(3)');

/** History rows of a job that ended a minute apart, the last one so many days ago, with outputs. */
async function insertRuns(
  world: StoreWorld,
  jobId: number,
  rows: { count: number; days: number; session?: string; revision?: number },
): Promise<void> {
  const { count, days, session = 'sdead', revision = 1 } = rows;
  const [now] = await world.rows('SELECT NOW(3) AS at');
  const lastMs = Number(now?.at) - days * 86_400_000;
  const values = Array.from({ length: count }, (_, at) => {
    const endedAt = new Date(lastMs - (count - 1 - at) * 60_000);
    const launchId = `${session}:${jobId}x${revision}x${at}`;
    return [
      jobId,
      revision,
      launchId,
      session,
      'manual',
      1,
      endedAt,
      endedAt,
      endedAt,
      'succeeded',
    ];
  });
  await world.rows(
    `INSERT INTO run (job_id, revision, launch_id, session_id, triggered_by, attempt, scheduled_for,
      started_at, ended_at, result) VALUES ?`,
    [values],
  );
  await world.rows('INSERT INTO run_output (launch_id, output, written_at) VALUES ?', [
    values.map((value) => [value[2] as string, Buffer.from('said'), value[7] as Date]),
  ]);
}

const endedMsOf = (row: Row | undefined) => Number(row?.ended_at);

const countOf = async (world: StoreWorld, table: string, where = '1 = 1') =>
  Number((await world.rows(`SELECT COUNT(*) AS n FROM ${table} WHERE ${where}`))[0]?.n);

const rare = (name: string, more = {}) => definitionOf(name, { schedule: '@yearly', ...more });

await forEachEngine((engine) => {
  test('a job’s own word on what it keeps comes before the cluster’s, both ways', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const node = await world.join('a');
    const few = await addJob(world.channel, rare('few', { keepRuns: 7, format: 3 }));
    const long = await addJob(world.channel, rare('long', { keepDays: 400, format: 3 }));
    const plain = await addJob(world.channel, rare('plain'));
    for (const { jobId } of [few, long, plain])
      await insertRuns(world, jobId, { count: 30, days: 0.1 });
    for (const { jobId } of [few, long, plain]) {
      await insertRuns(world, jobId, { count: 20, days: 300, session: 'sold' });
    }
    // Outputs older than 30 days of all; then 50 − 7 of one, and the old ones of another.
    assert.equal(await clean(node), 3 * 20 + 43 + 20);
    const left = async ({ jobId }: { jobId: number }) => countOf(world, 'run', `job_id = ${jobId}`);
    assert.deepEqual([await left(few), await left(long), await left(plain)], [7, 50, 30]);
    assert.equal(await countOf(world, 'run_output'), 7 + 30 + 30);
    const stray = `launch_id NOT IN (SELECT launch_id FROM run)`;
    assert.equal(await countOf(world, 'run_output', stray), 0, 'outputs go with their runs');
  });

  test('a step takes no more than fits into its time, and another node goes on', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const { jobId } = await addJob(world.channel, rare('plain'));
    await insertRuns(world, jobId, { count: 1_200, days: 100 });
    const [slow, heir] = [slowCleaner(world, 'a', 60), slowCleaner(world, 'b', 60)];
    // 60 ms a look at the clock: reading jobs takes that, and each transaction, the next is less.
    assert.deepEqual(await stepsOf(slow, 2, withOutputs), [500, 250]);
    assert.deepEqual(await heir.step(withOutputs), nothingToClean);
    await world.rows('UPDATE cleaning SET until_at = NOW(3)');
    assert.equal((await heir.step(withOutputs)).rows, 449, 'the last row stays');
    assert.deepEqual(await slow.step(withOutputs), nothingToClean);
    await stepsOf(heir, 50, withOutputs);
    assert.equal(await countOf(world, 'run'), 1);
    assert.equal(await countOf(world, 'run_output'), 1);
  });

  test('where each look takes longer than a step, all goes even so', async (t) => {
    const world = await makeReusedWorld(t, engine);
    for (const name of ['one', 'two']) {
      const { jobId } = await addJob(world.channel, rare(name));
      await insertRuns(world, jobId, { count: 120, days: 100 });
    }
    const gone = await stepsOf(slowCleaner(world, 'a', 1_000), 50);
    assert.equal(
      gone.reduce((sum, rows) => sum + rows, 0),
      // Outputs are rows, too; a run of each stays.
      2 * 120 + 2 * 119,
    );
    assert.ok(gone.every((rows) => rows <= 2 * 500));
  });

  test('what is quick grows until all is taken in one step', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const { jobId } = await addJob(world.channel, rare('plain'));
    await insertRuns(world, jobId, { count: 1_700, days: 100 });
    assert.equal((await slowCleaner(world, 'a', 0).step()).rows, 1_700 + 1_699);
  });

  test('a pass over many jobs without old runs is few steps', async (t) => {
    const world = await makeReusedWorld(t, engine);
    for (let at = 0; at < 120; at += 1) await world.addJob(`job-${at}`);
    const quick = slowCleaner(world, 'a', 0);
    assert.equal((await quick.step()).isMore, true, 'all jobs, of which 50 come at once');
    const [turn] = await world.rows('SELECT job_id FROM cleaning');
    assert.equal(turn?.job_id, null);
    assert.equal((await quick.step()).isMore, false);
  });

  test('outputs go by their number while they are small, large ones a few at once', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const { jobId } = await addJob(world.channel, rare('plain'));
    await insertRuns(world, jobId, { count: 300, days: 40 });
    const large = 3 * 1024 * 1024;
    await world.rows('UPDATE run SET output_bytes = ? WHERE run_id % 300 < 6', [large]);
    await world.rows(
      `UPDATE run_output JOIN run ON run.launch_id = run_output.launch_id
       SET written_at = written_at - INTERVAL 1 DAY WHERE run.output_bytes > 0`,
    );
    const slow = slowCleaner(world, 'a', 60);
    // Two of 3 MiB fit into 8 MiB; the oldest six are as large.
    const [few, next] = await stepsOf(slow, 2);
    assert.ok(few !== undefined && next !== undefined && few <= 2 * 2, `${few}, then ${next}`);
    await stepsOf(slow, 200);
    assert.equal(await countOf(world, 'run'), 300);
    assert.equal(await countOf(world, 'run_output'), 0);
  });

  test('outputs that get too old while a pass goes on do not hold up its jobs', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const { jobId } = await addJob(world.channel, rare('plain'));
    await insertRuns(world, jobId, { count: 120, days: 100 });
    const cleaner = slowCleaner(world, 'a', 1_000);
    const first = await cleaner.step();
    assert.deepEqual([first.rows, first.isBehind], [50, false], 'outputs come first');
    assert.equal(await countOf(world, 'run'), 120);
    await world.rows("INSERT INTO run_output VALUES ('s:1', 'said', NOW(3) - INTERVAL 30 DAY)");
    const { isBehind } = await cleaner.step({ ...historyDefaults, periodMs: 0 });
    assert.ok(isBehind, 'the next pass would be due');
    await stepsOf(cleaner, 50);
    assert.equal(await countOf(world, 'run'), 1);
    assert.equal(await countOf(world, 'run_output'), 1);
    await passIsDue(world);
    await stepsOf(cleaner, 50);
    assert.equal(await countOf(world, 'run_output'), 0);
  });

  test('the next pass begins a period after the last, by the word of whoever looks', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const { jobId } = await addJob(world.channel, rare('plain'));
    const node = await world.join('a');
    const keep = (minutes: number): HistoryKeep => {
      return { ...historyDefaults, periodMs: minutes * 60_000 };
    };
    await clean(node, keep(90));
    const [row] = await world.rows('SELECT until_at, due_at FROM cleaning');
    assert.equal(Number(row?.due_at) - Number(row?.until_at), 90 * 60_000);
    await insertRuns(world, jobId, { count: 30, days: 100 });
    await world.rows('UPDATE cleaning SET until_at = until_at - INTERVAL 30 MINUTE');
    assert.equal(await clean(node, keep(40)), 0, 'it is not due to anybody');
    assert.equal(await clean(await world.join('b'), keep(20)), 30 + 29, 'a shorter period counts');
  });

  test('revisions go that nothing needs, the first ones first, never those of a row', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const { jobId } = await addJob(world.channel, rare('plain'));
    for (let at = 0; at < 6; at += 1) {
      await editJob(world.channel, 'plain', (old) => ({ ...old, command: `echo ${at}` }));
    }
    await world.rows(
      `UPDATE job_revision SET in_force_from = in_force_from - INTERVAL 200 DAY,
         in_force_until = IF(revision = 7, NULL, in_force_until - INTERVAL 200 DAY)`,
    );
    await insertRuns(world, jobId, { count: 3, days: 150, session: 'sone', revision: 2 });
    await insertRuns(world, jobId, { count: 3, days: 140, session: 'stwo', revision: 4 });
    await clean(await world.join('a'));
    const kept = await world.rows('SELECT revision FROM job_revision ORDER BY revision');
    assert.deepEqual(
      kept.map((row) => row.revision),
      [4, 5, 6, 7],
    );
  });

  test('a removed job goes with all that is of it when its history has gone', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const node = await world.join('a');
    for (const name of ['old', 'young']) {
      const { jobId } = await addJob(world.channel, rare(name));
      await insertRuns(world, jobId, { count: 3, days: 100 });
      await pauseJob(world.channel, name);
      await removeJob(world.channel, name);
    }
    await world.rows("UPDATE job SET removed_at = NOW(3) - INTERVAL 91 DAY WHERE name = 'old'");
    await world.rows('UPDATE run SET ended_at = NOW(3) - INTERVAL 92 DAY');
    await clean(node);
    const names = (await world.rows('SELECT name FROM job')).map((row) => row.name);
    assert.deepEqual(names, ['young']);
    assert.equal(await countOf(world, 'run'), 0, 'a removed job keeps not even its last');
    assert.equal(await countOf(world, 'slot'), 0);
    const stray = 'job_id NOT IN (SELECT job_id FROM job)';
    assert.equal(await countOf(world, 'job_revision', stray), 0);
  });

  test('an old session goes that no run and no slot names, and a note says so', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const { jobId } = await addJob(world.channel, rare('plain'));
    const ids = ['snamed', 'sfree', 'syoung', 'sheld', 'sfre'];
    for (const name of ids) {
      await world.rows(
        `INSERT INTO session (session_id, node_name, state, ttl_ms, started_at, renewed_at,
           ended_at, reaped_at, host, process_id, version, timezone_data, capacity, concurrency)
         SELECT ?, ?, 'ended', 1, at, at, at, at, '', 1, '', '', 1, 1
         FROM (SELECT NOW(3) - INTERVAL ? DAY AS at) past`,
        [name, name, name === 'syoung' ? 80 : 100],
      );
    }
    await insertRuns(world, jobId, { count: 1, days: 0.1, session: 'snamed' });
    await world.rows("UPDATE slot SET session_id = 'sheld'");
    const [free] = await world.rows("SELECT ended_at FROM session WHERE session_id = 'sfree'");
    const node = await world.join('a');
    assert.equal(await clean(node), 2);
    const kept = await world.rows("SELECT session_id FROM session WHERE state = 'ended'");
    assert.deepEqual(kept.map((row) => row.session_id).sort(), ['sheld', 'snamed', 'syoung']);
    const [note] = await world.rows(
      "SELECT note_value FROM note WHERE note_name = 'sessions_from'",
    );
    assert.ok(Date.parse(note?.note_value as string) > endedMsOf(free));
  });

  test('the ends of an upstream stay until those that follow it have seen them', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const { jobId } = await addJob(world.channel, rare('plain'));
    await insertRuns(world, jobId, { count: 10, days: 100 });
    const [third] = await world.rows('SELECT ended_at FROM run ORDER BY run_id LIMIT 2, 1');
    await world.rows(
      `INSERT INTO chain_link (job_id, upstream, wanted, linked_at, swept_until)
       VALUES (99, 'plain', 'success', ?, ?)`,
      [third?.ended_at as Date, third?.ended_at as Date],
    );
    await clean(await world.join('a'));
    assert.equal(await countOf(world, 'run'), 10 - 2);
  });

  test('what followers have left is taken away, what is followed is not', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await world.rows(
      `INSERT INTO run_live (launch_id, asked_at) VALUES ('s:1', NOW(3) - INTERVAL 2 MINUTE),
         ('s:2', NOW(3))`,
    );
    assert.equal(await clean(await world.join('a')), 1);
    assert.equal(await countOf(world, 'run_live', "launch_id = 's:2'"), 1);
  });

  test('what is left of a history accounts for every tick since it begins', async (t) => {
    const world = await makeHeldWorld(t, engine);
    const node = await world.join('a');
    await world.addJob('plain', { dueInMs: -3_600_000 });
    for (let at = 0; at < 4; at += 1) {
      await node.finish(await startNext(world, node));
      if (at < 2) await world.rows('UPDATE run SET ended_at = ended_at - INTERVAL 20 MINUTE');
    }
    const [counted] = await world.rows('SELECT COUNT(*) AS n FROM run');
    const gone = await clean(node, { ...historyDefaults, runs: 1 });
    assert.ok(gone >= 3 && gone < Number(counted?.n), `${gone} of ${counted?.n}`);
    const verification = await verifyDatabase(world.channel);
    const missing = verification.findings.filter(({ code }) => code.startsWith('tick'));
    assert.deepEqual(missing, []);
    await world.rows('UPDATE job SET history_from = NULL');
    const blind = await verifyDatabase(world.channel);
    assert.ok(blind.findings.some(({ code }) => code === 'tick_missing'));
  });

  test('cleaning waits for no stripe, and holds none up', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const { jobId } = await addJob(world.channel, rare('plain'));
    await insertRuns(world, jobId, { count: 30, days: 100 });
    const node = await world.join('a');
    const release = await holdStripes({ url: world.url, scope: t }, allStripes);
    await clean(node);
    await release();
    assert.equal(await countOf(world, 'run'), 1);
    await passIsDue(world);
    assert.equal(await clean(node), 0);
  });
});
