import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withLowestFormat } from '../../../src/domain/job/edit/definitionFormat.ts';
import { jobFields } from '../../../src/domain/job/fields.ts';
import { reasons } from '../../../src/domain/reasons/reasons.ts';
import { wholeLine } from '../../../src/domain/run/share.ts';
import { observedFormat } from '../../../src/domain/targeting/takeable.ts';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeReusedWorld } from '../../support/storeWorld.ts';
import { definitionOf } from '../verify/assertAccounted.ts';

const moveCursors = `UPDATE slot JOIN job ON job.job_id = slot.job_id
  SET slot.cursor_at = @at := CAST(DATE_FORMAT(NOW(3) + INTERVAL ? SECOND, '%Y-%m-%d %H:%i:%s')
    AS DATETIME(3)), slot.next_run_at = @at WHERE job.name LIKE ?`;

await forEachEngine((engine) => {
  test('observed jobs come in no look ahead, and hide nothing from a claim', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const observed = ['observed 1', 'observed 2', 'observed 3'];
    for (const name of observed) {
      await addJob(world.channel, withLowestFormat(definitionOf(name, { observed: true })));
    }
    await addJob(world.channel, definitionOf('live'));
    const node = await world.join('a');
    const place = async (observedSeconds: number, liveSeconds: number) => {
      await world.rows(moveCursors, [observedSeconds, 'observed%']);
      await world.rows(moveCursors, [liveSeconds, 'live']);
    };
    const horizon = { nodeName: 'a', share: wholeLine, aheadMs: 60_000, aheadAnywhereMs: 3_000 };
    await place(20, 40);
    assert.equal((await node.store.peekDue(horizon, 10)).slots, 1);

    await place(-2, 20);
    assert.equal((await node.store.peekDue(horizon, 10)).slots, 4);
    const [launch, ...others] = await node.claim(1);
    assert.deepEqual([launch?.definition.name, others.length], ['live', 0]);
    const recorded = () => world.rows('SELECT DISTINCT job_id, reason FROM run');
    assert.deepEqual(await recorded(), [], 'they wait for what is started');
    assert.deepEqual(await node.claim(10), []);
    const rows = await recorded();
    assert.deepEqual(
      rows.map(({ reason }) => reason),
      observed.map(() => reasons.observed),
    );
  });
});

test('by the format of its definition a job is known to be observed', () => {
  const those = jobFields.filter(({ format }) => format === observedFormat);
  assert.deepEqual(
    those.map(({ name }) => name),
    ['observed'],
  );
});
