import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jobDefaults } from '../../../src/domain/job/jobDefinition.ts';
import { reasons } from '../../../src/domain/reasons/reasons.ts';
import { changeGroup } from '../../../src/store/groups/changeGroup.ts';
import { changeLimit } from '../../../src/store/groups/changeLimit.ts';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import { removeJob } from '../../../src/store/jobs/changes/changeJob.ts';
import { runJob } from '../../../src/store/requests/runJob.ts';
import { whyJob } from '../../../src/store/why/whyJob.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { rowsRead } from '../../support/rowsRead.ts';
import { makeReusedWorld } from '../../support/storeWorld.ts';

const yearly = { ...jobDefaults, schedule: '0 0 1 1 *', command: 'true', format: 3 };

await forEachEngine((engine) => {
  test('an answer costs seven statements and few rows, whatever the history', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const { channel, rows } = world;
    await addJob(channel, { ...yearly, name: 'up', schedule: '* * * * * *' });
    const target = { nodes: ['w1'], groups: ['big'], excludeLabels: ['old'] };
    const after = [{ job: 'up', on: 'success' } as const];
    await changeGroup(channel, 'big', () => ['w2']);
    await changeLimit(channel, 'g', 2);
    await addJob(channel, { ...yearly, name: 'asked', group: 'g', target, after });
    for (const name of ['w1', 'w2', 'w3']) await world.join(name, { ttlMs: 3_600_000 });
    await rows(fillSessions);
    await rows(fillRuns);
    await runJob(channel, 'asked', 'r1');
    const before = channel.statements;
    let why: Awaited<ReturnType<typeof whyJob>> | undefined;
    const read = await rowsRead(world, async () => {
      why = await whyJob(channel, 'asked');
    });
    assert.ok(channel.statements - before <= 9, 'seven, and two that count rows');
    const shown = (why?.checks.length ?? 0) + (why?.nodes.length ?? 0);
    assert.ok(read <= 20 * shown, `${read} rows read for ${shown}`);
    assert.deepEqual(
      why?.nodes.map(({ node, keptBy }) => [node, ...keptBy.map(({ by }) => by)]),
      [['w1'], ['w2'], ['w3', 'target']],
    );
    assert.equal(why?.checks.find(({ check }) => check === 'chain')?.state, 'unknown');
  });

  test('a job that was removed says when, one of its name that is there goes before', async (t) => {
    const { channel } = await makeReusedWorld(t, engine);
    await assert.rejects(whyJob(channel, 'gone'), { code: 'job_missing' });
    await addJob(channel, { ...yearly, name: 'gone' });
    await removeJob(channel, 'gone');
    const removed = await whyJob(channel, 'gone');
    const [exists] = removed.checks;
    assert.deepEqual([removed.state, exists?.reason], ['removed', reasons.removed]);
    await addJob(channel, { ...yearly, name: 'gone' });
    const [again] = (await whyJob(channel, 'gone')).checks;
    assert.equal(again?.state, 'passed');
  });
});

const thousands = `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers
  WHERE n < 1000)`;
const fillSessions = `INSERT INTO session (session_id, node_name, state, ttl_ms, started_at,
    renewed_at, ended_at, reaped_at, host, process_id, version, timezone_data, capacity,
    concurrency)
  ${thousands} SELECT CONCAT('old', n), CONCAT('n', n), 'ended', 45000, NOW(3) - INTERVAL 2 DAY,
    NOW(3) - INTERVAL 1 DAY, NOW(3) - INTERVAL 1 DAY, NOW(3) - INTERVAL 1 DAY, 'h', 1, '0', '', 1, 1
  FROM numbers`;
/** Skipped ticks of both jobs, which are no ends. */
const fillRuns = `INSERT INTO run (job_id, revision, triggered_by, attempt, scheduled_for, ended_at,
    result)
  ${thousands} SELECT job_id, 1, 'schedule', 1, NOW(3), NOW(3) + INTERVAL n SECOND, 'skipped'
  FROM numbers JOIN job`;
