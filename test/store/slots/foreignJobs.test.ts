import assert from 'node:assert/strict';
import { test } from 'node:test';
import mysql from 'mysql2/promise';
import { wholeLine } from '../../../src/domain/run/share.ts';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import { editJob } from '../../../src/store/jobs/changes/changeJob.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeReusedWorld, type StoreWorld } from '../../support/storeWorld.ts';
import { definitionOf } from '../verify/assertAccounted.ts';

const horizon = { nodeName: 'a', share: wholeLine, aheadMs: 30_000, aheadAnywhereMs: 3_000 };

/** Jobs as a later version may write them, overdue for an hour. */
async function addForeign(world: StoreWorld, count: number): Promise<void> {
  const kinds: object[] = [{ format: 99 }, { colour: 'red' }, { schedule: '@moon' }];
  for (let at = 0; at < count; at += 1) {
    const { jobId } = await addJob(world.channel, definitionOf(`foreign ${at}`));
    const definition = { ...definitionOf(`foreign ${at}`), ...kinds[at % kinds.length] };
    await world.rows('UPDATE job_revision SET definition = ? WHERE job_id = ?', [
      JSON.stringify(definition),
      jobId,
    ]);
  }
  await world.rows('UPDATE slot SET cursor_at = NOW(3) - INTERVAL 1 HOUR, next_run_at = cursor_at');
}

/** Takes a stripe like a silent holder somewhere else; resolves to what lets it go. */
async function hold(world: StoreWorld, stripe: number): Promise<() => Promise<void>> {
  const connection = await mysql.createConnection(world.url);
  await connection.query('START TRANSACTION');
  await connection.query('SELECT * FROM lock_row WHERE lock_id = ? FOR UPDATE', [stripe]);
  return () => connection.end();
}

await forEachEngine((engine) => {
  test('what a version does not understand it claims never, and hides nothing else', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await addForeign(world, 30);
    const slots = await world.rows('SELECT * FROM slot ORDER BY slot_id');
    await addJob(world.channel, definitionOf('own'));
    const told: string[] = [];
    const node = await world.join('a', { onForeign: (name) => told.push(name) });
    const claimed: string[] = [];
    for (let look = 0; look < 4; look += 1) {
      assert.ok((await node.store.peekDue(horizon, 10)).slots > 0);
      claimed.push(...(await node.claim(10)).map(({ definition }) => definition.name));
    }
    assert.deepEqual([...new Set(claimed)], ['own']);
    assert.deepEqual(told.length, 30);
    assert.equal(new Set(told).size, 30, 'each is told once');
    await world.rows("UPDATE slot SET state = 'prepare' WHERE state = 'idle' AND job_id > 30");
    assert.equal((await node.store.peekDue(horizon, 100)).slots, 0, 'no look is for them');
    const after = await world.rows('SELECT * FROM slot WHERE job_id <= 30 ORDER BY slot_id');
    assert.deepEqual(after, slots);
    assert.deepEqual(await world.rows('SELECT * FROM run WHERE job_id <= 30'), []);
  });

  test('one that was edited into what a version understands is claimed at once', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await addForeign(world, 3);
    const node = await world.join('a');
    assert.deepEqual(await node.claim(), []);
    await editJob(world.channel, 'foreign 2', (definition) => ({
      ...definition,
      schedule: '* * * * * *',
    }));
    assert.ok((await node.store.peekDue(horizon, 10)).slots > 0);
    const [launch] = await node.claim();
    assert.equal(launch?.definition.name, 'foreign 2');
  });

  test('a look leaves busy stripes out, and a claim says which were busy', async (t) => {
    const world = await makeReusedWorld(t, engine);
    for (const name of ['a', 'b', 'c']) await world.addJob(name);
    const node = await world.join('a');
    assert.deepEqual((await node.store.peekDue(horizon, 10)).stripes.toSorted(), [1, 2, 3]);
    const look = await node.store.peekDue({ ...horizon, busyStripes: [2] }, 10);
    assert.deepEqual(look.stripes.toSorted(), [1, 3]);
    const letGo = await hold(world, 2);
    const claim = {
      kind: 'claim',
      ...horizon,
      dueStripes: [1, 2, 3],
      slotsMax: 10,
    } as const;
    const verdict = await node.ask(claim);
    assert.ok(typeof verdict === 'object' && verdict.verdict === 'claimed');
    assert.deepEqual(verdict.busyStripes, [2]);
    assert.equal(verdict.launches.length, 2);
    await letGo();
  });
});
