import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDatabaseUrl } from '../../../src/store/connection/databaseAddress.ts';
import { mayUseSchema, migrate } from '../../../src/store/schema/migrate.ts';
import { createDatabase } from '../../support/createDatabase.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeReusedWorld } from '../../support/storeWorld.ts';

await forEachEngine((engine) => {
  test('ten processes migrate one database at once and each migration runs once', async (t) => {
    const address = readDatabaseUrl(await createDatabase(t, engine));
    const reports = await Promise.all(Array.from({ length: 10 }, () => migrate(address)));
    const applied = reports.flatMap((report) => report.applied);
    assert.deepEqual(applied.toSorted(), reports[0]?.present);
    assert.equal(new Set(applied).size, applied.length);
  });

  test('a migration that was cut short before it was noted runs again', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await world.rows("DELETE FROM migration WHERE migration_name >= '0004'");
    const { applied, present } = await migrate(readDatabaseUrl(world.url));
    assert.deepEqual(applied, present.slice(3), 'columns that are there already are no fault');
    assert.equal((await world.rows('SELECT COUNT(*) AS n FROM lock_row'))[0]?.n, 65);
  });

  test('a table that has only a part of what a migration adds fails it, and stays', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const [name, before] = ['0012_slot_target.sql', 'state, next_run_at, stripe, node_name'];
    await world.rows('DELETE FROM migration WHERE migration_name = ?', [name]);
    await world.rows(`ALTER TABLE slot DROP COLUMN created_at,
      DROP KEY slot_by_due, ADD KEY slot_by_due (${before})`);
    await assert.rejects(migrate(readDatabaseUrl(world.url)), {
      ...{ code: 'migration_failed', exitCode: 78 },
      message:
        `The migration ${name} failed (Duplicate column name 'target_id'), and slot lacks: ` +
        `created_at, slot_by_due (${before}, target_id).`,
    });
    const noted = 'SELECT * FROM migration WHERE migration_name = ?';
    assert.deepEqual(await world.rows(noted, [name]), []);
    await world.rows('ALTER TABLE slot DROP COLUMN target_id');
    const { applied } = await migrate(readDatabaseUrl(world.url));
    assert.deepEqual(applied, [name], 'as its hint says');
  });

  test('code that is older than the schema may use it unless a note says from when', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const address = readDatabaseUrl(world.url);
    await world.rows("INSERT INTO migration (migration_name) VALUES ('9999_from_the_future.sql')");
    assert.deepEqual((await migrate(address, undefined, '0.1.0')).applied, []);
    await world.rows("INSERT INTO note VALUES ('oldest_version', '0.3.0')");
    const refused = { code: 'schema_newer', exitCode: 78, message: /9999_from_the_future/ };
    await assert.rejects(migrate(address, undefined, '0.2.9'), refused);
    await assert.rejects(migrate(address), refused);
    assert.deepEqual((await migrate(address, undefined, '0.3.0')).applied, []);
    assert.equal(await mayUseSchema(world.channel, '0.3.0-rc.1'), false);
    assert.equal(await mayUseSchema(world.channel, '1.0.0'), true);
    assert.equal(await mayUseSchema(world.channel, 'nonsense'), false);
  });
});
