import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withLowestFormat } from '../../../src/domain/job/edit/definitionFormat.ts';
import { changeGroup } from '../../../src/store/groups/changeGroup.ts';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeReusedWorld, type StoreWorld } from '../../support/storeWorld.ts';
import { definitionOf, openChannel } from '../verify/assertAccounted.ts';

const target = { groups: ['web'] };

async function addTargeted(world: StoreWorld, name: string): Promise<void> {
  await addJob(world.channel, withLowestFormat(definitionOf(name, { target })));
}

await forEachEngine((engine) => {
  test('nothing is prepared against a group whose edit is done, while all claim', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const operator = openChannel(t, world.url);
    const nodes = [await world.join('a'), await world.join('b')];
    await changeGroup(operator, 'web', () => ['a']);
    for (let job = 1; job <= 8; job += 1) await addTargeted(world, `job${job}`);
    let isOver = false;
    let claims = 0;
    const claiming = nodes.map(async (node) => {
      while (!isOver) {
        const launches = await node.claim();
        claims += launches.length;
      }
    });
    let withdrawn = 0;
    try {
      for (let edit = 0; edit < 20; edit += 1) {
        const member = edit % 2 === 0 ? 'b' : 'a';
        withdrawn += (await changeGroup(operator, 'web', () => [member])).withdrawn;
        const against = await world.rows(
          `SELECT slot.slot_id FROM slot JOIN session USING (session_id)
           WHERE slot.state = 'prepare' AND session.node_name <> ?`,
          [member],
        );
        assert.deepEqual(against, [], `after edit ${edit}`);
      }
    } finally {
      isOver = true;
      await Promise.all(claiming);
    }
    t.diagnostic(`${claims} claims, of which ${withdrawn} were withdrawn by edits`);
    assert.ok(withdrawn >= 8, 'there was something prepared to be withdrawn');
  });

  test('a node of an earlier release holds only what it understands', async (t) => {
    const world = await makeReusedWorld(t, engine);
    // As such a node introduces itself: without level, labels and format.
    await world.rows(
      `INSERT INTO session (session_id, node_name, ttl_ms, host, process_id, version,
         timezone_data, capacity, concurrency, state, started_at, renewed_at)
       VALUES ('old', 'old', 45000, 'test', 1, '0.2.0', '', 1, 1, 'live', NOW(3), NOW(3))`,
    );
    const second = await world.join('second', { facts: { level: 2 } });
    await addJob(world.channel, definitionOf('plain'));
    await addJob(world.channel, withLowestFormat(definitionOf('newer', { tags: ['x'] })));
    const everyNode = definitionOf('every', { kind: 'every-node' });
    await addJob(world.channel, withLowestFormat(everyNode));
    const names = async () => (await second.claim()).map(({ definition }) => definition.name);
    assert.deepEqual((await names()).sort(), ['every', 'newer'], 'the old one is of level 1');
    const slots = await world.rows("SELECT node_name FROM slot WHERE node_name <> ''");
    assert.deepEqual(
      slots.map(({ node_name }) => node_name),
      ['second'],
    );
    await world.rows("UPDATE session SET state = 'ended' WHERE session_id = 'old'");
    await second.store.bumpSessionsVersion(); // as a reaper does that finds it ended
    assert.deepEqual(await names(), ['plain']);
  });

  test('thousands of overdue slots for others cost a look no rows', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const node = await world.join('a');
    await addTargeted(world, 'others');
    const [row] = await world.rows("SELECT target_id FROM job WHERE name = 'others'");
    const values = Array.from(
      { length: 10_000 },
      (_, number) => `(${number + 100},
      ${number % 64}, ${row?.target_id}, NOW(3) - INTERVAL 1 DAY, NOW(3) - INTERVAL 1 DAY)`,
    );
    await world.rows(`INSERT INTO slot (job_id, stripe, target_id, cursor_at, next_run_at)
      VALUES ${values.join()}`);
    await addJob(world.channel, definitionOf('own'));
    const [launch] = await node.claim(1);
    assert.equal(launch?.definition.name, 'own');
    const plan = await world.rows(
      `EXPLAIN ${engine === 'mysql' ? 'FORMAT=TRADITIONAL' : ''} SELECT slot_id
       FROM slot FORCE INDEX (slot_by_due)
       WHERE state = 'idle' AND next_run_at <= NOW(3) AND target_id IN (0)`,
    );
    assert.match(String(plan[0]?.Extra), /Using (where; Using )?index/, 'the index tells it all');
  });
});
