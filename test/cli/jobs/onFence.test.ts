import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeStoreWorld, type StoreWorld } from '../../support/storeWorld.ts';
import { askCli, askJsonCli } from '../askCli.ts';

/** The definition in force, as it is in the database. */
async function storedOf(world: StoreWorld, name: string): Promise<Record<string, unknown>> {
  const [row] = await world.rows(
    `SELECT definition FROM job JOIN job_revision USING (job_id, revision)
     WHERE name = ? AND removed_no = 0`,
    [name],
  );
  return JSON.parse(row?.definition as string) as Record<string, unknown>;
}

const adding = ['--cron', '@daily', '--command', 'true'];

test('a job that is to finish says so when it is added, edited and shown', async (t) => {
  const world = await makeStoreWorld(t, 'mariadb');
  const { url } = world;
  const warning = /warning: a run of it goes on when its node is lost/;
  const added = await askCli(['job', 'add', 'x', ...adding, '--on-fence', 'finish'], { url });
  assert.equal(added.code, 0);
  assert.match(added.stderr, warning);
  assert.match(
    (await askCli(['job', 'show', 'x'], { url })).stdout,
    /on fence +finish: a run goes/,
  );
  const shown = await askJsonCli<{ definition: { onFence: string } }>(['job', 'show', 'x'], {
    url,
  });
  assert.equal(shown.definition.onFence, 'finish');
  assert.equal((await storedOf(world, 'x')).format, 2);
  const renamed = await askCli(['job', 'edit', 'x', '--grace', '9s'], { url });
  assert.doesNotMatch(renamed.stderr, warning);
  assert.equal((await storedOf(world, 'x')).onFence, 'finish');
  await askCli(['job', 'edit', 'x', '--on-fence', 'kill'], { url });
  const plain = await storedOf(world, 'x');
  assert.deepEqual([plain.onFence, plain.format], [undefined, undefined], 'any version runs it');
  assert.match(
    (await askCli(['job', 'show', 'x'], { url })).stdout,
    /on fence +kill: .* \(default\)$/m,
  );
  const asked = await askCli(['job', 'edit', 'x', '--on-fence', 'finish'], { url });
  assert.match(asked.stderr, warning);
  const refused = await askCli(['job', 'edit', 'x', '--on-fence', 'maybe'], { url });
  assert.equal(refused.code, 2);
});

test('an edit keeps fields that this version does not know, and their format', async (t) => {
  const world = await makeStoreWorld(t, 'mariadb');
  const { url } = world;
  await askCli(['job', 'add', 'x', ...adding], { url });
  const newer = { ...(await storedOf(world, 'x')), colour: 'red', format: 7 };
  await world.rows('UPDATE job_revision SET definition = ?', [JSON.stringify(newer)]);
  const args = ['job', 'edit', 'x', '--command', 'false', '--on-fence', 'finish'];
  assert.equal((await askCli(args, { url })).code, 0);
  const edited = await storedOf(world, 'x');
  assert.deepEqual([edited.colour, edited.format, edited.command], ['red', 7, 'false']);
  for (const kind of ['pause', 'resume']) await askCli(['job', kind, 'x'], { url });
  assert.deepEqual(await storedOf(world, 'x'), edited);
});

test('an import leaves alone what a crontab cannot say', async (t) => {
  const world = await makeStoreWorld(t, 'mariadb');
  const { url } = world;
  const folder = mkdtempSync(join(tmpdir(), 'statecron-test-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'crontab');
  writeFileSync(file, '0 4 * * * backup\n');
  await askCli(['import', file, '--user-crontab'], { url });
  const [row] = await world.rows('SELECT name FROM job');
  const name = row?.name as string;
  await askCli(['job', 'edit', name, '--on-fence', 'finish', '--timeout', '9m'], { url });
  const newer = { ...(await storedOf(world, name)), colour: 'red' };
  await world.rows('UPDATE job_revision SET definition = ?', [JSON.stringify(newer)]);
  writeFileSync(file, '0 5 * * * backup\n');
  const again = await askCli(['import', file, '--user-crontab'], { url });
  assert.equal(again.code, 0, again.stderr);
  const stored = await storedOf(world, name);
  assert.equal(stored.schedule, '0 5 * * *');
  assert.deepEqual([stored.colour, stored.onFence, stored.format], ['red', 'finish', 2]);
});
