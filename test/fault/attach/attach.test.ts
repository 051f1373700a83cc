import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { before, test } from 'node:test';
import type { History } from '../../checkers/history.ts';
import type { RunMessages } from '../../checkers/report/runMessages.ts';
import { makeNodeWorld, type NodeWorld } from '../../node/nodeWorld.ts';
import { fileScope } from '../../support/testEngine.ts';
import { until } from '../../support/until.ts';

interface Ended {
  readonly code: number;
  readonly said: string;
}

const root = path.resolve(import.meta.dirname, '../../..');
const commands = {
  quick: 'sleep 0.2',
  slow: 'for i in 1 2; do sleep 1; done; exit $((RANDOM % 2))',
};
let world: NodeWorld;
let folder: string;
before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'statecron-attach-'));
  fileScope.after(() => rm(folder, { recursive: true, force: true }));
  world = await makeNodeWorld(fileScope);
  const nodes = ['a', 'b'].map((name) => world.start(name));
  await Promise.all(nodes.map((node) => node.session()));
  await world.add('quick', '* * * * * *', { command: commands.quick });
  await world.add('slow', '*/3 * * * * *', { command: commands.slow });
});

/** As a user does who stands in the checkout. */
function fault(...args: string[]): Promise<Ended> {
  const words = ['--import', 'tsx', path.join(root, 'test/fault/main.ts'), ...args];
  const env = { ...process.env, STATECRON_DATABASE_URL: world.url };
  return new Promise((resolve) => {
    execFile(process.execPath, words, { cwd: root, env }, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), said: stdout + stderr });
    });
  });
}

const database = (): string => new URL(world.url).pathname.slice(1);
const out = (name: string): string => path.join(folder, name);
const revisions = () => world.rows('SELECT name, revision FROM job ORDER BY name');

test('a cluster that was not marked is refused, and nothing of it is changed', async () => {
  const before = await revisions();
  const { code, said } = await fault('--attach', '--out', out('unmarked'));
  assert.equal(code, 78, said);
  assert.match(said, /is not marked as one to break.*--mark statecron_test_/s);
  assert.deepEqual(await revisions(), before);
  const other = await fault('--mark', 'production');
  assert.equal(other.code, 78, other.said);
  assert.equal((await fault('--attach', '--out', out('other'))).code, 78);
});

test('a marked one is broken, judged, and given back as it was', async (t) => {
  assert.equal((await fault('--mark', database())).code, 0);
  const file = out('jobs.yaml');
  await writeFile(file, "jobs:\n  of-file:\n    cron: '*/2 * * * * *'\n    command: 'true'\n");
  const run = ['--attach', '--minutes', '0.5', '--seed', '4', '--jobs', file, '--out', out('run')];
  const { code, said } = await fault(...run);
  t.diagnostic(said);
  assert.equal(code, 0, said);
  assert.match(await readFile(path.join(out('run'), 'report.html'), 'utf8'), /<html/);
  const read = async <T>(name: string) =>
    JSON.parse(await readFile(path.join(out('run'), name), 'utf8')) as T;
  const history = await read<History>('history.json');
  assert.ok(history.faults.length > 0);
  for (const name of ['quick', 'slow', 'of-file']) {
    assert.ok(
      history.processes.some(({ job }) => job === name),
      name,
    );
  }
  // What runs for two seconds was seen alive behind its beginning, by who looks at processes.
  assert.ok(
    history.processes.some((each) => each.job === 'slow' && each.lastSeenMs > each.startedMs),
  );
  const { launches } = await read<RunMessages>('messages.json');
  const whole = history.processes.filter(({ job, launchId }) => {
    const said = launches[launchId]?.messages.map(({ event }) => event) ?? [];
    return job === 'slow' && said[0] === 'init' && said.includes('finish.committed');
  });
  assert.ok(whole.length > 0, 'of no run of slow it is known what was said from its claim on');
  const jobs = await world.rows(
    `SELECT name, JSON_VALUE(definition, '$.command') AS command, job_revision.paused
     FROM job JOIN job_revision USING (job_id, revision) WHERE removed_no = 0 ORDER BY name`,
  );
  assert.deepEqual(
    jobs.map(({ name, command, paused }) => [name, command, paused]),
    Object.entries(commands).map(([name, command]) => [name, command, 0]),
  );
  assert.equal(
    await world.count('information_schema.triggers WHERE trigger_schema = DATABASE()'),
    0,
  );
});

test('what a killed run left is taken away with the mark', async () => {
  const words = ['--import', 'tsx', path.join(root, 'test/fault/main.ts'), '--attach'];
  const env = { ...process.env, STATECRON_DATABASE_URL: world.url };
  const run = execFile(process.execPath, [...words, '--out', out('killed')], { cwd: root, env });
  const jobs = 'job JOIN job_revision USING (job_id, revision) WHERE removed_no = 0';
  const wrapped = `${jobs} AND definition LIKE '%recorder.pl%'`;
  fileScope.after(async () => void run.kill('SIGKILL'));
  await until('jobs are recorded', async () => (await world.count(wrapped)) >= 2, 120_000);
  run.kill('SIGKILL');
  assert.equal((await fault('--unmark')).code, 0);
  assert.equal(await world.count(wrapped), 0);
  assert.equal(await world.count(`${jobs} AND job_revision.paused = 1`), 0);
  assert.equal((await fault('--attach', '--out', out('again'))).code, 78);
});
