import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import type { Row } from '../../src/store/connection/channel.ts';
import { runJob } from '../../src/store/requests/runJob.ts';
import { readOutput } from '../../src/store/runs/showRun.ts';
import { until } from '../support/until.ts';
import type { NodeProcess } from './nodeProcess.ts';
import { makeNodeWorld, type NodeWorld } from './nodeWorld.ts';
import { makePasswordUser } from './passwordUser.ts';

const password = 'hidden-4711-word';

/** What a job can do that runs as the node's user: look into every process for the password. */
const look = `needle='hidden-47''11-word'
  for file in /proc/[0-9]*/environ /proc/[0-9]*/cmdline; do
    grep -qaFf /dev/fd/3 "$file" 3<<<"$needle" 2>/dev/null && echo "$file"
  done; echo looked`;

/** The process of the live node, which takes its time where a machine is busy. */
async function livePid(world: NodeWorld, node: NodeProcess, before = 0): Promise<number> {
  const look = async (): Promise<number | undefined> => {
    const rows = await world.rows("SELECT process_id FROM session WHERE state = 'live'");
    return rows.map((row) => row.process_id as number).find((pid) => pid !== before);
  };
  try {
    return await until('a node is live', look, patienceMs);
  } catch (error) {
    throw new Error(`the node said: ${node.log()}`, { cause: error });
  }
}

const patienceMs = 240_000;
const patient = ['--session-ttl', '60s'];

/** The files of /proc that the job found the password in. */
async function whatJobsFind(world: NodeWorld): Promise<string[]> {
  await runJob(world.channel, 'look', 'look-1');
  const looked = async (): Promise<Row | undefined> => (await world.runs('look'))[0];
  const row = await until<Row>('the job has looked', looked, patienceMs);
  const output = await readOutput(world.channel, row.launch_id as string);
  const lines = Buffer.from(output ?? new Uint8Array(0))
    .toString()
    .trim()
    .split('\n');
  assert.equal(lines.pop(), 'looked', `${row.result} ${row.reason}`);
  return lines;
}

test('a password that is given by file stands in no environment and no command line', async (t) => {
  const world = await makeNodeWorld(t);
  const url = await makePasswordUser(world, password);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'statecron-password-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'password');
  await writeFile(file, `${password}\n`, { mode: 0o600 });
  await world.add('look', '@manual', { command: look });
  const env = { STATECRON_DATABASE_PASSWORD_FILE: file };
  const node = world.start('web1', patient, url, env);
  const pid = await livePid(world, node);
  assert.deepEqual(await whatJobsFind(world), []);
  // A password that is changed is read anew for the next process.
  const { username } = new URL(url);
  await world.rows(`ALTER USER ${username}@localhost IDENTIFIED BY '${password}-2'`);
  await writeFile(file, `${password}-2\n`);
  process.kill(pid, 'SIGKILL');
  await livePid(world, node, pid);
});

test('one that is given in the environment stands there and nowhere else', async (t) => {
  const world = await makeNodeWorld(t);
  const url = new URL(await makePasswordUser(world, password));
  url.password = password;
  await world.add('look', '@manual', { command: look });
  const node = world.start('web1', patient, url.href);
  await livePid(world, node);
  // That of the process that was started so, which cannot be changed from within.
  assert.deepEqual(await whatJobsFind(world), [`/proc/${node.guardian.pid}/environ`]);
});

test('one that is given by a flag is gone from the command line once the node runs', async (t) => {
  const world = await makeNodeWorld(t);
  const url = new URL(await makePasswordUser(world, password));
  const plain = url.href;
  url.password = password;
  await world.add('look', '@manual', { command: look });
  const node = world.start('web1', [...patient, '--database-url', url.href], plain);
  await livePid(world, node);
  assert.deepEqual(await whatJobsFind(world), []);
});
