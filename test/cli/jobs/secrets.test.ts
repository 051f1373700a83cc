import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { type JobDefinition, jobDefaults } from '../../../src/domain/job/jobDefinition.ts';
import { secretMarker } from '../../../src/domain/job/secretEnv.ts';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import { editJob } from '../../../src/store/jobs/changes/changeJob.ts';
import { listJobs, readDefinitions } from '../../../src/store/jobs/listJobs.ts';
import { showJob } from '../../../src/store/jobs/showJob.ts';
import { makeStoreWorld, type StoreWorld } from '../../support/storeWorld.ts';
import { runCli } from '../runCli.ts';

const value = 'open sesame 4711';
const definition: JobDefinition = {
  ...{ ...jobDefaults, name: 'job', schedule: '@daily', command: 'true', format: 4 },
  secretEnv: { TOKEN: value },
};

const stored = async (world: StoreWorld): Promise<JobDefinition['secretEnv']> => {
  const [row] = await world.rows(
    'SELECT definition FROM job_revision ORDER BY revision DESC LIMIT 1',
  );
  return (JSON.parse(row?.definition as string) as JobDefinition).secretEnv;
};

test('whoever reads a job from the store gets a marker, and an edit keeps the value', async (t) => {
  const { channel, ...world } = await makeStoreWorld(t, 'mariadb');
  await addJob(channel, definition);
  await editJob(channel, 'job', (shown) => ({ ...shown, command: 'false' }));
  const listed: unknown[] = [];
  for await (const job of listJobs(channel, { jobsMax: 10 })) listed.push(job);
  const answers = [
    listed,
    await showJob(channel, 'job'),
    [...(await readDefinitions(channel, ['job']))],
  ];
  for (const answer of answers) {
    assert.ok(JSON.stringify(answer).includes(secretMarker));
    assert.ok(!JSON.stringify(answer).includes(value));
  }
  assert.deepEqual(await stored({ channel, ...world }), { TOKEN: value });
  const same = (shown: JobDefinition) => ({ ...shown, secretEnv: { TOKEN: value } });
  assert.equal((await editJob(channel, 'job', same)).isChanged, false);
  const other = (shown: JobDefinition) => ({ ...shown, secretEnv: { TOKEN: 'another one' } });
  assert.equal((await editJob(channel, 'job', other)).isChanged, true);
  const unknown = { TOKEN: secretMarker, NEW: secretMarker };
  const unkept = editJob(channel, 'job', (shown) => ({ ...shown, secretEnv: unknown }));
  await assert.rejects(unkept, { code: 'bad_secretEnv', message: /NEW has no value/ });
  const added = addJob(channel, { ...definition, name: 'new', secretEnv: unknown });
  await assert.rejects(added, { code: 'bad_secretEnv' });
});

test('a secret goes in by the environment and comes out by no command', async (t) => {
  const world = await makeStoreWorld(t, 'mariadb');
  const { url } = world;
  const add = ['job', 'add', 'job', '--cron', '@daily', '--command', 'true', '--secret-env'];
  const unset = await runCli([...add, 'TOKEN'], { url });
  assert.match(unset.stderr, /--secret-env: that variable is not set/);
  const bare = await runCli([...add, 'my-pa$$word!'], { url });
  assert.equal(bare.code, 2);
  assert.ok(!bare.stderr.includes('my-pa'), 'what may be the secret is not repeated');
  const added = await runCli([...add, 'TOKEN', '--json'], { url, env: { TOKEN: value } });
  assert.equal(added.code, 0, added.stderr);
  const texts = [added.stdout + added.stderr];
  for (const args of [['job', 'show', 'job'], ['job', 'show', 'job', '--json'], ['export']]) {
    const result = await runCli(args, { url });
    assert.ok(result.stdout.includes(secretMarker), `${args}: ${result.stdout} ${result.stderr}`);
    texts.push(result.stdout + result.stderr);
  }
  for (const text of texts) assert.ok(!text.includes(value), text);
  // What was exported changes nothing when it is applied.
  const folder = mkdtempSync(path.join(os.tmpdir(), 'statecron-secrets-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'jobs.yaml');
  writeFileSync(file, (await runCli(['export'], { url })).stdout);
  const applied = await runCli(['apply', file], { url });
  assert.match(applied.stdout, /0 added, 0 edited, 1 unchanged/, applied.stderr);
  assert.deepEqual(await stored(world), { TOKEN: value });
  // Nor does anything else in the database have it.
  for (const row of await world.rows('SHOW TABLES')) {
    const table = String(Object.values(row)[0]);
    if (table === 'job_revision') continue;
    const rows = await world.rows(`SELECT * FROM ${table}`);
    assert.ok(!JSON.stringify(rows).includes(value), table);
  }
});
