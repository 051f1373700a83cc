import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { checkBackup, restoreBackup } from '../../../src/cli/backup/restoreAction.ts';
import { writeBackupFile } from '../../../src/cli/backup/writeBackupFile.ts';
import { packageVersion } from '../../../src/cli/connect/packageVersion.ts';
import { jobDefaults } from '../../../src/domain/job/jobDefinition.ts';
import { backupTables } from '../../../src/store/backup/backupTables.ts';
import { beginRestore } from '../../../src/store/backup/beginRestore.ts';
import { confirmRestore } from '../../../src/store/backup/confirmRestore.ts';
import { readBackup } from '../../../src/store/backup/readBackup.ts';
import { changeGroup } from '../../../src/store/groups/changeGroup.ts';
import { changeLimit } from '../../../src/store/groups/changeLimit.ts';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import { removeJob } from '../../../src/store/jobs/changes/changeJob.ts';
import { skipNext } from '../../../src/store/jobs/changes/skipNext.ts';
import { runJob } from '../../../src/store/requests/runJob.ts';
import { mayUseSchema } from '../../../src/store/schema/migrate.ts';
import { verifyDatabase } from '../../../src/store/verify/verifyDatabase.ts';
import { makeLivedWorld } from '../../store/verify/livedWorld.ts';
import type { Scope } from '../../support/createDatabase.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import type { Engine } from '../../support/startTestServer.ts';
import { makeStoreWorld, type StoreWorld } from '../../support/storeWorld.ts';
import { until } from '../../support/until.ts';
import { runCli, runJsonCli } from '../runCli.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'statecron-backup-'));
after(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
const newFile = (end = '.gz'): string => {
  files += 1;
  return path.join(folder, `backup-${files}${end}`);
};

async function backUp(world: StoreWorld, file: string, hasHistory: boolean): Promise<void> {
  const options = { hasHistory, version: '0.0.1' };
  await writeBackupFile(file, (sink) => readBackup(world.channel, options, sink));
}

/** A world with a bit of everything, a backup of it, and an empty one that it is restored into. */
async function makeCopy(scope: Scope, engine: Engine, hasHistory: boolean) {
  const world = await makeLivedWorld(scope, engine);
  const { channel } = world;
  const secretEnv = { TOKEN: 'open sesame' };
  const named = { ...jobDefaults, command: 'true', format: 4 };
  await addJob(channel, { ...named, name: 'secret', schedule: '@hourly', secretEnv });
  await addJob(channel, { ...named, name: 'beside', schedule: '* * * * *', parallel: 3 });
  await addJob(channel, { ...named, name: 'skipping', schedule: '@daily' });
  await skipNext(channel, 'skipping', 2);
  const after = [{ job: 'minutes', on: 'end' as const }];
  await addJob(channel, { ...named, name: 'follower', schedule: '@manual', after });
  await addJob(channel, { ...named, name: 'everywhere', schedule: '@hourly', kind: 'every-node' });
  await changeLimit(channel, 'default', 7);
  await changeGroup(channel, 'web', () => ['a']);
  await runJob(channel, 'manual', 'waits');
  const file = newFile();
  await backUp(world, file, hasHistory);
  const copy = await makeStoreWorld(scope, engine);
  return { world, file, copy };
}

const dueSlot = "slot WHERE state = 'idle' AND cursor_at <= NOW(3)";

const count = async (world: StoreWorld, sql: string): Promise<number> =>
  Number((await world.rows(`SELECT COUNT(*) AS rows_there FROM ${sql}`))[0]?.rows_there);

async function requireClean(world: StoreWorld): Promise<void> {
  const { findings, broken } = await verifyDatabase(world.channel);
  assert.equal(broken, 0, JSON.stringify(findings, null, 2));
}

await forEachEngine((engine) => {
  for (const hasHistory of [true, false]) {
    const title = hasHistory ? 'with its history' : 'without its history';
    test(`a copy restored ${title} runs nothing again of what is past, and says why`, async (t) => {
      const { world, file, copy } = await makeCopy(t, engine, hasHistory);
      await restoreBackup(copy.channel, await checkBackup(file), false);
      await requireClean(copy);
      await assert.rejects(copy.join('b'), { code: 'restored_copy' });
      await until('a tick that is due', async () => (await count(copy, dueSlot)) > 0);
      const confirmed = await confirmRestore(copy.channel);
      await requireClean(copy);
      const confirmedAt = new Date(confirmed.confirmedMs);
      assert.equal(await count(copy, "slot WHERE state <> 'idle'"), 0);
      assert.equal(
        await count(copy, 'slot WHERE next_run_at IS NOT NULL'),
        await count(
          copy,
          `slot
        WHERE next_run_at > '${confirmedAt.toISOString().replace(/[TZ]/g, ' ').trim()}'`,
        ),
      );
      const restored = await copy.rows("SELECT * FROM run WHERE reason LIKE 'restored from%'");
      const results = new Set(restored.map((row) => `${row.triggered_by} ${row.result}`));
      // What executed, what was requested, and what was due since.
      for (const wanted of [/ lost$/, /^manual missed$/, /^schedule missed$/]) {
        assert.ok(
          [...results].some((result) => wanted.test(result)),
          `${wanted}: ${[...results]}`,
        );
      }
      assert.equal(await count(copy, 'pending'), 0);
      const names = 'SELECT name, removed_no, paused FROM job ORDER BY name, removed_no';
      assert.deepEqual(await copy.rows(names), await world.rows(names));
      const kept = 'SELECT job_id, revision, definition FROM job_revision ORDER BY 1, 2';
      assert.deepEqual(await copy.rows(kept), await world.rows(kept));
      assert.equal(await count(copy, 'job_group WHERE concurrency_max = 7'), 1);
      assert.equal(await count(copy, 'node_group'), 1);
      const runs = `run WHERE launch_id IN ('${await anyLaunch(world)}')`;
      assert.equal(await count(copy, runs), hasHistory ? 1 : 0);
      // It is a cluster like any other from here on.
      const node = await copy.join('b');
      assert.ok(Array.isArray(await node.claim()));
      await assert.rejects(confirmRestore(copy.channel), { code: 'not_restored' });
    });
  }
});

async function anyLaunch(world: StoreWorld): Promise<string> {
  const [row] = await world.rows("SELECT launch_id FROM run WHERE result = 'succeeded' LIMIT 1");
  return row?.launch_id as string;
}

/** Everything that a restore would write. */
async function contents(world: StoreWorld): Promise<unknown> {
  const tables = backupTables.map(({ table }) => table);
  return Promise.all(tables.map((table) => world.rows(`SELECT * FROM ${table}`)));
}

test('a torn, changed, foreign or newer file is refused with nothing written', async (t) => {
  const world = await makeStoreWorld(t, 'mariadb');
  await addJob(world.channel, { ...jobDefaults, name: 'job', schedule: '@daily', command: 'true' });
  const file = newFile('.jsonl');
  await backUp(world, file, true);
  const whole = readFileSync(file);
  const lines = whole.toString().trimEnd().split('\n');
  const copy = await makeStoreWorld(t, 'mariadb');
  const before = await contents(copy);
  const refused = async (bytes: Uint8Array, code: string, what: string): Promise<void> => {
    const bad = newFile('.jsonl');
    writeFileSync(bad, bytes);
    await assert.rejects(
      async () => restoreBackup(copy.channel, await checkBackup(bad), false),
      { code },
      what,
    );
  };
  for (let length = 0; length < lines.length; length += 1) {
    const code = length === 0 ? 'backup_foreign' : 'backup_broken';
    const text = lines
      .slice(0, length)
      .map((line) => `${line}\n`)
      .join('');
    await refused(Buffer.from(text), code, `${length} lines`);
  }
  await refused(whole.subarray(0, whole.length - 30), 'backup_broken', 'the last line is torn');
  const job = whole.indexOf('"job"');
  const changed = Buffer.from(whole);
  changed[whole.indexOf('@daily')] = 0x7a;
  await refused(changed, 'backup_broken', 'one byte is another');
  assert.ok(job > 0);
  const without = lines.filter((line) => !line.includes('@daily')).join('\n');
  await refused(Buffer.from(`${without}\n`), 'backup_broken', 'a row is missing');
  await refused(Buffer.concat([whole, Buffer.from('{}\n')]), 'backup_broken', 'more follows');
  await refused(Buffer.from('<html>\n'), 'backup_foreign', 'something else');
  await refused(Buffer.from('{"__proto__":{"statecron":"backup"}}\n'), 'backup_foreign', 'proto');
  const packed = gzipSync(whole);
  await refused(packed.subarray(0, packed.length - 20), 'backup_broken', 'packed and cut off');
  const later = lines[0]?.replace('"format":1', '"format":2') ?? '';
  await refused(Buffer.from(`${later}\n`), 'backup_newer', 'another form');
  assert.deepEqual(await contents(copy), before);
  // Sound in itself, and of a schema that this one is not.
  const ahead = newFile();
  await writeBackupFile(ahead, async (sink) => {
    const options = { hasHistory: false, version: '9.9.9' };
    await readBackup(world.channel, options, {
      ...{ table: (...all) => sink.table(...all), rows: (...all) => sink.rows(...all) },
      begin: (head) => sink.begin({ ...head, migrations: [...head.migrations, '9999_later.sql'] }),
    });
  });
  const checked = await checkBackup(ahead);
  await assert.rejects(restoreBackup(copy.channel, checked, false), { code: 'backup_newer' });
  const tables = [{ table: 'job', columns: ['job_id', 'x` = 1; DROP TABLE job; --'] }];
  const evil = { ...checked, head: { ...checked.head, migrations: [] }, tables };
  await assert.rejects(restoreBackup(copy.channel, evil, false), { code: 'backup_newer' });
  assert.deepEqual(await contents(copy), before);
});

test('a backup is one snapshot, whatever is changed while it is written', async (t) => {
  const world = await makeStoreWorld(t, 'mariadb');
  const other = await addJob(world.channel, {
    ...{ ...jobDefaults, name: 'before', schedule: '@daily', command: 'true' },
  });
  const writer = await makeWriter(t, world);
  const names: unknown[] = [];
  await readBackup(
    world.channel,
    { hasHistory: true, version: '0' },
    {
      begin: async () => {
        await writer.rows('UPDATE job SET name = ? WHERE job_id = ?', ['later', other.jobId]);
        await writer.rows("INSERT INTO node_group VALUES ('later', '[]', NOW(3))");
      },
      table: async () => undefined,
      rows: async (table, rows) => {
        if (table === 'node_group') names.push('a group');
        if (table === 'job') names.push(...rows.map((row) => row[1]));
      },
    },
  );
  assert.deepEqual(names, ['before']);
});

async function makeWriter(scope: Scope, world: StoreWorld): Promise<Pick<StoreWorld, 'rows'>> {
  const { openChannel } = await import('../../store/verify/assertAccounted.ts');
  const channel = openChannel(scope, world.url);
  return { rows: (sql, parameters) => channel.query(sql, parameters) };
}

test('it is its owner’s alone, writes over nothing and leaves no torn file', async (t) => {
  const world = await makeStoreWorld(t, 'mariadb');
  const file = newFile();
  await backUp(world, file, false);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.match(gunzipSync(readFileSync(file)).toString(), /^\{"statecron":"backup","format":1,/);
  await assert.rejects(backUp(world, file, false), { code: 'file_exists' });
  const torn = newFile();
  const read = () => Promise.reject(new Error('the database is away'));
  await assert.rejects(writeBackupFile(torn, read), /away/);
  const { readdirSync } = await import('node:fs');
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.includes('partial')),
    [],
  );
});

test('outputs of megabytes are read a few at once', async (t) => {
  const world = await makeStoreWorld(t, 'mariadb');
  for (let number = 0; number < 12; number += 1) {
    await world.rows('INSERT INTO run_output VALUES (?, ?, NOW(3))', [
      `launch:${number}`,
      Buffer.alloc(number % 2 === 0 ? 10 : 1024 * 1024, 0xff),
    ]);
  }
  const pages: number[] = [];
  await readBackup(
    world.channel,
    { hasHistory: true, version: '0' },
    {
      begin: async () => undefined,
      table: async () => undefined,
      rows: async (table, rows) => {
        if (table !== 'run_output') return;
        pages.push(rows.reduce((sum, row) => sum + (row[1] as Uint8Array).length, 0));
      },
    },
  );
  assert.equal(
    pages.reduce((sum, bytes) => sum + bytes, 0),
    6 * (1024 * 1024 + 10),
  );
  assert.ok(
    pages.every((bytes) => bytes <= 4 * 1024 * 1024),
    `${pages}`,
  );
  const file = newFile();
  await backUp(world, file, true);
  const copy = await makeStoreWorld(t, 'mariadb');
  await restoreBackup(copy.channel, await checkBackup(file), false);
  const outputs = 'SELECT launch_id, output FROM run_output ORDER BY launch_id';
  assert.deepEqual(await copy.rows(outputs), await world.rows(outputs));
});

test('what is in use is not restored over, and what was cut short is begun again', async (t) => {
  const world = await makeStoreWorld(t, 'mariadb');
  const add = (name: string, to: StoreWorld) =>
    addJob(to.channel, { ...jobDefaults, name, schedule: '@daily', command: 'true' });
  await add('job', world);
  const file = newFile();
  await backUp(world, file, true);
  const copy = await makeStoreWorld(t, 'mariadb');
  const node = await copy.join('a');
  const checked = await checkBackup(file);
  await assert.rejects(restoreBackup(copy.channel, checked, true), { code: 'nodes_live' });
  await node.store.endSession(node.sessionId, 'test', null);
  await add('other', copy);
  await assert.rejects(restoreBackup(copy.channel, checked, false), /not empty: it has 1 job\.$/);
  assert.equal(await count(copy, "job WHERE name = 'other'"), 1);
  // A restore that dies after its mark leaves a database that nobody joins.
  await beginRestore(copy.channel, checked.head, { isForced: true, version: '0.0.1' });
  await assert.rejects(copy.join('b'), { code: 'restore_unfinished' });
  await assert.rejects(confirmRestore(copy.channel), { code: 'restore_unfinished' });
  await restoreBackup(copy.channel, checked, false);
  // Versions that know no restored copies see one by what they know.
  assert.equal(await mayUseSchema(copy.channel, '0.3.0'), false);
  assert.equal(await mayUseSchema(copy.channel, packageVersion()), true);
  await confirmRestore(copy.channel);
  assert.equal(await mayUseSchema(copy.channel, '0.3.0'), true);
  const names = await copy.rows('SELECT name FROM job');
  assert.deepEqual(
    names.map((row) => row.name),
    ['job'],
  );
  const notes = await copy.rows('SELECT note_name FROM note ORDER BY note_name');
  assert.deepEqual(
    notes.map((row) => row.note_name),
    ['restored'],
  );
  await copy.join('b');
});

test('the commands say what was done and what is to be done', async (t) => {
  const world = await makeStoreWorld(t, 'mariadb');
  const each = { ...jobDefaults, schedule: '* * * * * *', command: ':' };
  await addJob(world.channel, { ...each, name: 'job' });
  const before = await runCli(['backup', newFile()], { url: world.url });
  assert.match(before.stdout, /^Wrote .*: 1 job, \d+ rows, \d+ bytes\.\n$/, before.stderr);
  await addJob(world.channel, { ...jobDefaults, name: 'gone', schedule: '@daily', command: ':' });
  await removeJob(world.channel, 'gone');
  const file = newFile();
  await world.join('web1');
  const written = await runCli(['backup', file, '--history'], { url: world.url });
  assert.match(written.stdout, /: 1 job and 1 removed, \d+ rows, /, written.stderr);
  const copy = await makeStoreWorld(t, 'mariadb');
  const { url } = copy;
  await copy.rows('DELETE FROM migration ORDER BY migration_name DESC LIMIT 1');
  const early = await runCli(['restore', file, '--database-url', url]);
  assert.match(early.stderr, /\nhint: Run statecron migrate --database-url \S+, as an /);
  assert.equal((await runCli(['migrate', '--database-url', url])).code, 0);
  const restored = await runCli(['restore', file, '--database-url', url]);
  assert.equal(restored.code, 0, restored.stderr);
  assert.match(restored.stderr, /No node joins.*\n {2}statecron restore --confirm --database-url /);
  const node = await runCli(['node', '--name', 'a', '--database-url', url]);
  assert.equal(node.code, 78);
  assert.match(node.stderr, /is a copy that was restored .*\nhint: .* restore --confirm --data/);
  const doctor = await runCli(['doctor'], { url });
  assert.match(doctor.stdout, /restored copy .* backup of \d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]/);
  assert.doesNotMatch(doctor.stdout, /lost nodes/);
  type Result = { confirmed: { jobs: number; missed: number } };
  const { confirmed } = await runJsonCli<Result>(['restore', '--confirm'], { url });
  assert.ok(confirmed.missed > 0);
  assert.equal(confirmed.jobs, 1, 'none that is removed');
  assert.equal((await runCli(['restore'], { url })).code, 2);
});
