import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCli, runJsonCli } from '../cli/runCli.ts';
import { makeNodeWorld } from '../node/nodeWorld.ts';
import { makeStoreWorld } from '../support/storeWorld.ts';
import { until, within } from '../support/until.ts';
import { requireKept } from './requireKept.ts';

const schemas = {
  newer: [
    "INSERT INTO migration (migration_name) VALUES ('9999_from_the_future.sql')",
    "INSERT INTO note (note_name, note_value) VALUES ('oldest_version', '9999.0.0')",
  ],
  older: ["DELETE FROM migration WHERE migration_name LIKE '0010%'"],
} as const;

for (const [how, statements] of Object.entries(schemas)) {
  test(`a node refuses a schema that is ${how} than itself and joins nothing`, async (t) => {
    const world = await makeStoreWorld(t, 'mariadb');
    for (const sql of statements) await world.rows(sql);
    const node = runCli(['node', '--name', 'a'], { url: world.url });
    const { code, stderr } = await within('its end', node, 60_000);
    assert.equal(code, 78, stderr);
    assert.match(stderr, new RegExp(`schema of the database is ${how} than this version`));
    assert.deepEqual(await world.rows('SELECT * FROM session'), []);
  });
}

test('a node works on a schema that has more than it knows', async (t) => {
  const world = await makeNodeWorld(t);
  await world.rows(schemas.newer[0]);
  await world.rows('ALTER TABLE slot ADD COLUMN of_the_future INT NULL');
  await world.rows('ALTER TABLE run ADD COLUMN of_the_future INT NULL');
  await world.rows("INSERT INTO note (note_name, note_value) VALUES ('oldest_version', '0.0.1')");
  await world.addOnce('job', 3);
  const node = world.start('a');
  await node.session();
  await until('the run', async () => (await world.count("run WHERE result = 'succeeded'")) === 1);
  assert.match(node.log(), /does not know: 9999_from_the_future/);
  // Only a version that knows all of a schema verifies it.
  await world.rows("DELETE FROM migration WHERE migration_name LIKE '9999%'");
  await world.requireEveryTick();
});

test('an edit keeps the fields of a definition that this version does not know', async (t) => {
  const world = await makeStoreWorld(t, 'mariadb');
  await requireKept(world, (args) => runJsonCli(args, { url: world.url }));
});
