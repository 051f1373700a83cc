import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { checkBackup, restoreBackup } from '../../../src/cli/backup/restoreAction.ts';
import { writeBackupFile } from '../../../src/cli/backup/writeBackupFile.ts';
import { outputBytesMax } from '../../../src/domain/job/fieldTable/processFields.ts';
import { readBackup } from '../../../src/store/backup/readBackup.ts';
import { makeStoreWorld } from '../../support/storeWorld.ts';
import { askCli } from '../askCli.ts';

test('as much output as a job may keep comes back from a backup', async (t) => {
  const [world, copy] = [await makeStoreWorld(t, 'mariadb'), await makeStoreWorld(t, 'mariadb')];
  await world.rows("INSERT INTO run_output VALUES ('launch:1', REPEAT('x', ?), NOW(3))", [
    outputBytesMax,
  ]);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'statecron-backup-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'backup.gz');
  const options = { hasHistory: true, version: '0.0.1' };
  await writeBackupFile(file, (sink) => readBackup(world.channel, options, sink));
  const restoring = restoreBackup(copy.channel, await checkBackup(file), false);
  await assert.doesNotReject(restoring, 'the default max_allowed_packet is enough');
  const sizes = 'SELECT launch_id, LENGTH(output) AS bytes, MD5(output) AS hash FROM run_output';
  assert.deepEqual(await copy.rows(sizes), await world.rows(sizes));
});

test('a backup that cannot be written is not blamed on the database', async (t) => {
  const { url } = await makeStoreWorld(t, 'mariadb');
  for (const name of ['backup', 'backup.gz']) {
    const { code, stderr } = await askCli(['backup', `/no/such/folder/${name}`], { url });
    assert.equal(code, 1, stderr);
    assert.match(stderr, /^statecron: The backup cannot be written to .*ENOENT.*\nhint: .*folder/);
  }
});
