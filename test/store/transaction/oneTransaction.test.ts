import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Channel } from '../../../src/store/connection/channel.ts';
import { readDatabaseUrl } from '../../../src/store/connection/databaseAddress.ts';
import { editJob } from '../../../src/store/jobs/changes/changeJob.ts';
import { boundsOfTtl } from '../../../src/store/openNodeStore.ts';
import { takeStripes } from '../../../src/store/transaction/takeStripes.ts';
import { transact } from '../../../src/store/transaction/transact.ts';
import { startCutProxy } from '../../support/cutProxy.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { lastFirst } from '../../support/lastFirst.ts';
import { makeReusedWorld } from '../../support/storeWorld.ts';
import { until, within } from '../../support/until.ts';

await forEachEngine((engine) => {
  for (const statement of ['/* finishSlots run */', '/* finishSlots */']) {
    test(`a finish that is cut at ${statement} leaves neither row nor idle slot`, async (t) => {
      const scope = lastFirst(t);
      const world = await makeReusedWorld(scope, engine);
      await world.addJob('plain');
      const proxy = await startCutProxy(scope, world.url);
      const node = await world.join('a', { url: proxy.url });
      const [launch] = await node.claim();
      assert.ok(launch);
      await node.start(launch);
      const wasCut = proxy.cutAt(statement, 'request lost');
      assert.equal(await node.finish(launch), 'unknown');
      await wasCut;
      const rows = () => world.rows('SELECT launch_id FROM run WHERE launch_id IS NOT NULL');
      assert.deepEqual(await rows(), []);
      assert.equal((await world.rows('SELECT state FROM slot'))[0]?.state, 'executing');
      // What the cut connection held is free when the server has seen its end.
      await until('it is written', async () => {
        const verdict = await node.finish(launch);
        return typeof verdict === 'object' && verdict.verdict === 'done';
      });
      assert.equal((await rows()).length, 1);
    });
  }

  for (const cut of ['request lost', 'reply lost'] as const) {
    test(`a refusal whose COMMIT is cut (${cut}) is not believed`, async (t) => {
      const scope = lastFirst(t);
      const world = await makeReusedWorld(scope, engine);
      const proxy = await startCutProxy(scope, world.url);
      const channel = new Channel('tried', readDatabaseUrl(proxy.url), boundsOfTtl(45_000));
      scope.after(() => channel.close());
      const wasCut = proxy.cutAt('/* tried commit */', cut);
      const outcome = await transact(channel, 'tried', async (connection) => {
        await takeStripes(connection, [5]);
        return { refuse: 'what was read does not allow it' };
      });
      assert.equal(outcome.outcome, 'unknown');
      await wasCut;
    });
  }

  test('a silent holder of a lock is cut off by the server, and the lock is free', async (t) => {
    const scope = lastFirst(t);
    const world = await makeReusedWorld(scope, engine);
    const open = () => {
      const channel = new Channel('tried', readDatabaseUrl(world.url), boundsOfTtl(10_000));
      scope.after(() => channel.close());
      return channel;
    };
    const [holder, asker] = [open(), open()];
    let [tellHeld, wake] = [(): void => undefined, (): void => undefined];
    const held = new Promise<void>((resolve) => {
      tellHeld = resolve;
    });
    const silence = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const holding = transact(holder, 'holder', async (connection) => {
      await takeStripes(connection, [9]);
      tellHeld();
      await silence;
      return { commit: null };
    });
    await held;
    const hasIt = async () => {
      const outcome = await transact(asker, 'asker', async (connection) => {
        await takeStripes(connection, [9]);
        return { commit: null };
      });
      return outcome.outcome === 'committed';
    };
    await until('the lock is had', hasIt).finally(wake);
    assert.equal((await within('the holder', holding)).outcome, 'unknown');
  });

  test('an edit that waited for its lock is in force from when it had it', async (t) => {
    const scope = lastFirst(t);
    const world = await makeReusedWorld(scope, engine);
    const jobId = await world.addJob('edited');
    const editor = new Channel('editor', readDatabaseUrl(world.url), boundsOfTtl(45_000));
    scope.after(() => editor.close());
    const waited = await world.channel.use(async (connection) => {
      await connection.query('START TRANSACTION');
      await connection.query('SELECT * FROM lock_row WHERE lock_id = ? FOR UPDATE', [jobId % 64]);
      const editing = editJob(editor, 'edited', (old) => ({ ...old, command: 'false' }));
      let isOver = false;
      void editing.finally(() => {
        isOver = true;
      });
      const isWaiting = async () => (await connection.query(selectWaiting)).length > 0;
      await until('it is at the lock', async () => isOver || (await isWaiting()));
      assert.ok(!isOver, 'it was made beside whoever holds the lock');
      const [row] = await connection.query('SELECT NOW(3) AS freed_at');
      await connection.query('ROLLBACK');
      return { editing, freedMs: (row as { freed_at: Date }).freed_at.getTime() };
    });
    const { inForceFromMs } = await waited.editing;
    assert.ok(inForceFromMs >= waited.freedMs, `${waited.freedMs - inForceFromMs} ms too early`);
  });
});

const selectWaiting = `SELECT 1, SLEEP(0.1) FROM information_schema.processlist
  WHERE db = DATABASE() AND info LIKE '%takeStripe */%' AND id <> CONNECTION_ID()`;

test('a transaction that is rolled back at its COMMIT runs again as a whole', async () => {
  const said: string[] = [];
  const connection = {
    query: async (sql: string) => {
      said.push(/(\w+) \*\//.exec(sql)?.[1] ?? sql);
      // Galera's certification and Group Replication answer so, with the connection still good.
      const isFirst = said.filter((word) => word === 'commit').length === 1;
      if (said.at(-1) === 'commit' && isFirst) {
        throw Object.assign(new Error('Deadlock found'), { errno: 1213, code: 'ER_LOCK_DEADLOCK' });
      }
      return [];
    },
    destroy: () => said.push('destroyed'),
  };
  const channel = { use: (work: (given: unknown) => unknown) => work(connection) };
  let worked = 0;
  const outcome = await transact(channel as unknown as Channel, 'tried', async (given) => {
    worked += 1;
    await given.query('/* write */');
    return { commit: worked };
  });
  assert.deepEqual(outcome, { outcome: 'committed', value: 2 });
  const once = ['begin', 'write', 'commit'];
  assert.deepEqual(said, [...once, 'rollback', ...once]);
});
