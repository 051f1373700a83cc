import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Verification, verifyDatabase } from '../../../src/store/verify/verifyDatabase.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { lastFirst } from '../../support/lastFirst.ts';
import type { Engine } from '../../support/startTestServer.ts';
import type { StoreWorld } from '../../support/storeWorld.ts';
import { makeLivedWorld } from './livedWorld.ts';
import { rowCorruptions, tickCorruptions } from './verifyCorruptions.ts';

const tables = ['lock_row', 'session', 'job', 'job_revision', 'slot', 'pending', 'run'];

await forEachEngine((engine) => {
  const world = sharedWorld(engine);

  test('nothing is found in a database that only nodes and commands wrote', async () => {
    const { findings, jobs, runs, ticks } = await verifyDatabase((await world()).channel);
    assert.deepEqual(findings, []);
    assert.equal(jobs, 8);
    assert.ok(runs >= 130 && ticks >= 3_800, `${runs} rows, ${ticks} ticks`);
  });

  for (const corruption of [...tickCorruptions, ...rowCorruptions]) {
    test(`found, and nothing else: ${corruption.found}`, async () => {
      const lived = await world();
      const verification = await whileCorrupted(lived, corruption.sql, () =>
        verifyDatabase(lived.channel),
      );
      const { findings, broken } = verification;
      const told = JSON.stringify(findings, null, 2);
      const codes = new Set(findings.map(({ code }) => code));
      assert.deepEqual([...codes].sort(), [...corruption.codes].sort(), told);
      assert.ok(broken > 0);
      const [first] = findings.filter(({ code }) => code === corruption.codes[0]);
      if (corruption.job !== undefined) assert.equal(first?.job, corruption.job, told);
      if (corruption.says !== undefined) assert.match(first?.message ?? '', corruption.says);
      for (const { meaning, look } of findings) {
        assert.ok(meaning.length > 0 && look.length > 0);
        assert.doesNotMatch(look, /\bJOB\b|\bLAUNCH\b/, 'the names are put in');
      }
    });
  }

  test('what an operator ought to see, and no promise forbids, is a warning', async () => {
    const lived = await world();
    const warn = async (sql: string): Promise<Verification> => {
      return whileCorrupted(lived, [sql], () => verifyDatabase(lived.channel));
    };
    const stale = await warn(
      "UPDATE session SET renewed_at = NOW(3) - INTERVAL 1 HOUR WHERE node_name = 'a'",
    );
    assert.deepEqual([stale.broken, ...stale.counts.keys()], [0, 'session_stale']);
    const odd = await warn(
      `UPDATE job_revision SET definition = REPLACE(definition, '* * * * *', '@whenever')
       WHERE job_id = (SELECT job_id FROM job WHERE name = 'minutes')`,
    );
    assert.deepEqual([odd.broken, ...odd.counts.keys()], [0, 'schedule_unreadable']);
    const torn = await warn(
      `UPDATE job_revision SET definition = LEFT(definition, 20)
       WHERE job_id = (SELECT job_id FROM job WHERE name = 'minutes')`,
    );
    assert.deepEqual([torn.broken, ...torn.counts.keys()], [0, 'schedule_unreadable']);
    const alone = await warn(
      `UPDATE session SET state = 'ended', ended_at = NOW(3) - INTERVAL 10 MINUTE
       WHERE node_name IN ('a', 'holder')`,
    );
    assert.ok(alone.counts.has('slot_waiting') && !alone.counts.has('slot_stuck'));
  });

  test('with --since nothing before it is looked at, and all after it is', async () => {
    const lived = await world();
    // Before the last row that was made: how long ago that was is the machine's doing.
    const [row] = await lived.rows('SELECT MAX(ended_at) AS last_at FROM run');
    const aged = (agedMs: number) => ({ since: { instantMs: Number(row?.last_at) - agedMs } });
    const [old, young] = await whileCorrupted(
      lived,
      [`DELETE FROM run WHERE launch_id = 'sminutes:75'`],
      async () => [
        await verifyDatabase(lived.channel, aged(2 * 3_600_000)),
        await verifyDatabase(lived.channel, aged(1_800_000)),
      ],
    );
    assert.deepEqual([...(old?.counts.keys() ?? [])], ['tick_missing']);
    assert.deepEqual(young?.findings, []);
    const inRange = await verifyDatabase(lived.channel, aged(1_800_000));
    assert.ok(inRange.ticks > 1_800 && inRange.ticks < 2_300, `${inRange.ticks} ticks`);
    const cut = [
      `DELETE FROM run WHERE ended_at < NOW(3) - INTERVAL 1 HOUR`,
      `UPDATE run SET ticks = ticks + 1 WHERE ticks > 1000`,
    ];
    const cleaned = await whileCorrupted(lived, cut, () =>
      verifyDatabase(lived.channel, aged(1_800_000)),
    );
    assert.deepEqual([...cleaned.counts.keys()], ['range_miscounted']);
  });

  test('of one job only that job is told, and of a name nobody has, that', async () => {
    const { channel } = await world();
    const { jobs, runs } = await verifyDatabase(channel, { job: 'minutes' });
    assert.deepEqual([jobs, runs], [1, 120]);
    await assert.rejects(verifyDatabase(channel, { job: 'nobody' }), { code: 'job_missing' });
  });

  test('a verification writes nothing and leaves the channel as it was', async () => {
    const { channel, rows } = await world();
    await verifyDatabase(channel);
    const [row] = await rows(
      `SELECT COUNT(*) AS open FROM information_schema.innodb_trx
       WHERE trx_mysql_thread_id = CONNECTION_ID()`,
    );
    assert.equal(Number(row?.open), 0);
    const [level] = await rows(
      "SHOW VARIABLES WHERE Variable_name IN ('transaction_isolation', 'tx_isolation')",
    );
    assert.equal(level?.Value, 'READ-COMMITTED');
  });
});

/** One world for all tests of an engine, since none of them leaves it changed. */
function sharedWorld(engine: Engine): () => Promise<StoreWorld> {
  // Registered here, so that it belongs to all the tests and not to the hook that makes the world.
  const scope = lastFirst({ after: (cleanUp) => after(cleanUp) });
  let made: StoreWorld;
  before(async () => {
    made = await makeLivedWorld(scope, engine);
    for (const table of tables) {
      await made.rows(`CREATE TABLE kept_${table} AS SELECT * FROM ${table}`);
    }
  });
  return async () => made;
}

/** Runs `use` on the changed database and then puts every row back. */
async function whileCorrupted<T>(
  world: StoreWorld,
  statements: readonly string[],
  use: () => Promise<T>,
): Promise<T> {
  try {
    for (const sql of statements) await world.rows(sql);
    return await use();
  } finally {
    for (const table of tables) {
      await world.rows(`DELETE FROM ${table}`);
      await world.rows(`INSERT INTO ${table} SELECT * FROM kept_${table}`);
    }
  }
}
