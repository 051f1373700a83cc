import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Channel } from '../../../src/store/connection/channel.ts';
import { readDatabaseUrl } from '../../../src/store/connection/databaseAddress.ts';
import { createMigratedDatabase, type Scope } from '../../support/createDatabase.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeHeldWorld } from '../../support/heldClock.ts';
import type { Engine } from '../../support/startTestServer.ts';
import { makeReusedWorld, type StoreWorld } from '../../support/storeWorld.ts';

/** What keeps a database from being used again. */
const changes = {
  'a column more': ['ALTER TABLE note ADD COLUMN colour INT'],
  'an index less': ['ALTER TABLE slot DROP INDEX slot_by_due'],
  'a table more': ['CREATE TABLE colour (colour_id INT)'],
  'a table instead of another': ['DROP TABLE note', 'CREATE TABLE colour (colour_id INT)'],
  'a trigger': [
    "CREATE TRIGGER note_set BEFORE INSERT ON note FOR EACH ROW SET NEW.note_value = ''",
  ],
  'many rows': [`INSERT INTO note (note_name, note_value) VALUES ${manyNotes(1_000)}`],
} as const;

await forEachEngine((engine) => {
  test('a world has the database of the one before and finds it as new', async (t) => {
    const used = await inWorld(engine, async (world) => {
      for (const name of ['one', 'two']) await world.addJob(name);
      const node = await world.join('a');
      for (const launch of await node.claim()) await node.start(launch);
      await world.rows('DELETE FROM lock_row WHERE lock_id = 11');
      await world.channel.use(async (connection) => {
        await connection.query('START TRANSACTION');
        await connection.query(insertTarget);
        await connection.query('ROLLBACK');
      });
      await world.rows('ANALYZE TABLE job');
      return await look(world);
    });
    const channel = openChannel(t, await createMigratedDatabase(t, engine));
    const fresh = await look({ url: '', rows: (sql) => channel.query(sql) });
    assert.notEqual(used.jobsExpected, fresh.jobsExpected);
    const reused = await inWorld(engine, look);
    assert.equal(reused.url, used.url);
    assert.deepEqual({ ...reused, url: '' }, fresh);
  });

  for (const [what, statements] of Object.entries(changes)) {
    test(`a database with ${what} is not used again`, async () => {
      const changed = await inWorld(engine, async ({ rows, url }) => {
        for (const sql of statements) await rows(sql);
        return url;
      });
      assert.notEqual(await inWorld(engine, async ({ url }) => url), changed);
    });
  }

  test('a database that somebody is still connected to is not used again', async (t) => {
    const held = await inWorld(engine, async ({ url }) => {
      const left = openChannel(t, url);
      await left.query('START TRANSACTION');
      await left.query('UPDATE lock_row SET taken = 7 WHERE lock_id = 7');
      return url;
    });
    assert.notEqual(await inWorld(engine, async ({ url }) => url), held);
  });

  test('the clock that a world held goes on for the next one', async () => {
    const held = await inWorld(
      engine,
      async ({ clock, url }) => {
        await clock.pass(24 * 3_600_000);
        return url;
      },
      makeHeldWorld,
    );
    await inWorld(engine, async ({ rows, url }) => {
      assert.equal(url, held);
      const [row] = await rows('SELECT TIMESTAMPDIFF(HOUR, SYSDATE(), NOW()) AS ahead');
      assert.equal(row?.ahead, 0);
    });
  });
});

const insertTarget =
  "INSERT INTO target (target_hash, target, definition_format) VALUES ('', '{}', 1)";

function manyNotes(count: number): string {
  return Array.from({ length: count }, (_, number) => `('${number}', '')`).join();
}

function openChannel(scope: Scope, url: string): Channel {
  const bounds = { timeoutMs: 30_000, lockWaitSeconds: 20, silenceSeconds: 600 };
  const channel = new Channel('look', readDatabaseUrl(url), bounds);
  scope.after(() => channel.close());
  return channel;
}

/** A world whose scope has ended when this returns. */
async function inWorld<T, W extends StoreWorld = StoreWorld>(
  engine: Engine,
  use: (world: W) => Promise<T>,
  make = makeReusedWorld as (scope: Scope, engine: Engine) => Promise<W>,
): Promise<T> {
  const cleanUps: (() => Promise<void>)[] = [];
  const world = await make({ after: (cleanUp) => void cleanUps.push(cleanUp) }, engine);
  try {
    return await use(world);
  } finally {
    for (const cleanUp of cleanUps) await cleanUp();
  }
}

/** All that a test could find in a database: definitions, with their counters, and rows. */
async function look({ rows, url }: Pick<StoreWorld, 'rows' | 'url'>) {
  const tables = await rows('SHOW TABLES');
  const names = tables.map((row) => String(Object.values(row)[0])).sort();
  const found: Record<string, unknown> = {};
  for (const name of names) {
    const [shown] = await rows(`SHOW CREATE TABLE ${name}`);
    found[name] = [shown?.['Create Table'], await rows(`SELECT * FROM ${name}`)];
  }
  const [expected] = await rows(`SELECT n_rows AS jobs FROM mysql.innodb_table_stats
    WHERE database_name = DATABASE() AND table_name = 'job'`);
  return { url, tables: found, jobsExpected: Number(expected?.jobs) };
}
