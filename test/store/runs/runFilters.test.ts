import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFailure, type RunResult, runResults } from '../../../src/domain/run/run.ts';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import { listRuns, type RunFilter } from '../../../src/store/runs/listRuns.ts';
import { pageOfRuns } from '../../../src/store/runs/pageOfRuns.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { rowsRead } from '../../support/rowsRead.ts';
import { makeReusedWorld, type StoreWorld } from '../../support/storeWorld.ts';
import { definitionOf } from '../verify/assertAccounted.ts';

/** So many runs of the job of a group, one a second up to now; every tenth has the result. */
async function addRuns(world: StoreWorld, group: string, runs: number, tenth: RunResult) {
  await addJob(world.channel, { ...definitionOf(group), group, format: 3 });
  await world.rows(
    `INSERT INTO run (job_id, revision, triggered_by, attempt, scheduled_for, ended_at, result,
        session_id)
      WITH RECURSIVE numbers (n) AS
        (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ?)
      SELECT job_id, 1, 'schedule', 1, NOW(3), NOW(3) - INTERVAL n SECOND,
        IF(n % 10 = 9, ?, 'succeeded'), IF(n % 2 = 0, 's1', 's2')
      FROM numbers JOIN job ON job.name = ?`,
    [runs, tenth, group],
  );
}

async function listed(world: StoreWorld, filter: Partial<RunFilter>): Promise<string[]> {
  const texts: string[] = [];
  for await (const run of listRuns(world.channel, { runsMax: 1_000, ...filter })) {
    texts.push(`${run.group} ${run.result}`);
  }
  return texts;
}

const times = (text: string, many: number): string[] => Array(many).fill(text);

await forEachEngine((engine) => {
  test('runs are selected by result, group, node and time, all of them', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await addRuns(world, 'a', 100, 'failed');
    await addRuns(world, 'b', 50, 'lost');
    await world.rows(`INSERT INTO session (session_id, node_name, state, ttl_ms, started_at,
        renewed_at, host, process_id, version, timezone_data, capacity, concurrency)
      SELECT id, name, 'ended', 1, NOW(3), NOW(3), 'h', 1, '1', 'z', 1, 1
      FROM (SELECT 's1' AS id, 'web1' AS name UNION SELECT 's2', 'web2') AS nodes`);
    const failed = await listed(world, { results: runResults.filter(isFailure) });
    assert.deepEqual(failed.sort(), [...times('a failed', 10), ...times('b lost', 5)]);
    assert.deepEqual(await listed(world, { group: 'b', results: ['lost'] }), times('b lost', 5));
    assert.equal((await listed(world, { group: 'a' })).length, 100);
    assert.equal((await listed(world, { group: 'a', runsMax: 7 })).length, 7);
    assert.equal((await listed(world, { group: 'a', node: 'web1' })).length, 50);
    assert.deepEqual(await listed(world, { node: 'web1', results: ['failed'] }), []);
    assert.equal((await listed(world, { node: 'web2', results: ['failed'] })).length, 10);
    const lately = await listed(world, { results: ['failed'], since: { agoMs: 30_000 } });
    assert.ok(lately.length > 0 && lately.length <= 3, `${lately.length} in half a minute`);
    assert.deepEqual(await listed(world, { group: 'default' }), []);
    assert.deepEqual(await listed(world, { group: 'nobody' }), []);
  });

  test('a group of few jobs is found in a long history of others, in pages', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await addRuns(world, 'small', 30, 'failed');
    await addRuns(world, 'other', 30, 'failed');
    await addRuns(world, 'large', 1_000, 'failed');
    for (let doubled = 0; doubled < 4; doubled += 1) {
      await world.rows(`INSERT INTO run (job_id, revision, triggered_by, attempt, scheduled_for,
          ended_at, result)
        SELECT job_id, 1, triggered_by, 1, scheduled_for, ended_at, result FROM run
        WHERE job_id = 3`);
    }
    await world.rows('UPDATE run SET ended_at = ended_at - INTERVAL 1 DAY WHERE job_id < 3');
    await world.rows('ANALYZE TABLE run, job, target');
    const page = (after: { endedMs: number; runId: number } | null) =>
      pageOfRuns(world.channel, { groups: ['small', 'other'], runsMax: 20, after });
    let read = 0;
    const runs: string[] = [];
    for (let after: Parameters<typeof page>[0] = null; ; ) {
      const found: Awaited<ReturnType<typeof page>>[] = [];
      read += await rowsRead(world, async () => found.push(await page(after)));
      runs.push(...(found[0]?.runs.map(({ job }) => job) ?? []));
      after = found[0]?.next ?? null;
      if (after === null) break;
    }
    assert.deepEqual(runs.sort(), [...times('other', 30), ...times('small', 30)]);
    assert.ok(read <= 20 * 60, `${read} rows read for 60`);
  });
});
