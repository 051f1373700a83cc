import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ClusterView } from '../../src/http/contract/clusterContract.ts';
import { runJob } from '../../src/store/requests/runJob.ts';
import { readOutput } from '../../src/store/runs/showRun.ts';
import { whyJob } from '../../src/store/why/whyJob.ts';
import { askCli, askJsonCli } from '../cli/askCli.ts';
import { isAlive, pidsIn } from '../exec/pool/testPool.ts';
import { programArgs } from '../support/program.ts';
import { until } from '../support/until.ts';
import { patient } from './nodeProcess.ts';
import { makeNodeWorld, type NodeWorld } from './nodeWorld.ts';

const asRoot = { skip: process.getuid?.() === 0 ? false : 'not run: this is not root' };

function makeFolder(scope: NodeWorld['scope']): string {
  const folder = mkdtempSync(join(tmpdir(), 'statecron-test-'));
  chmodSync(folder, 0o777);
  scope.after(async () => rmSync(folder, { recursive: true }));
  return folder;
}

/** `run log --follow` in a process of its own, as an operator has it. */
function follow(world: NodeWorld, launchId: string) {
  const args = [...programArgs(), 'run', 'log', '--follow', launchId];
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH ?? '', STATECRON_DATABASE_URL: world.url },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  world.scope.after(async () => void child.kill('SIGKILL'));
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk) => {
    said.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    said.err += chunk;
  });
  return { said, closed: once(child, 'close') as Promise<[number]> };
}

test('what a run writes is read by others while it runs, and only if they ask', async (t) => {
  const world = await makeNodeWorld(t);
  const go = join(makeFolder(world.scope), 'go');
  const node = world.start('one', patient);
  await node.session();
  const waits = `until [ -e ${go} ]; do sleep 0.1; done`;
  await world.add('talks', '@manual', { command: `echo one; ${waits}; echo two; exit 7` });
  await runJob(world.channel, 'talks', 'request');
  const launchId = await until('it executes', async () => {
    const [slot] = await world.rows("SELECT launch_id FROM slot WHERE state = 'executing'");
    return slot?.launch_id as string | undefined;
  });
  assert.equal(await world.count('run_live'), 0, 'nobody has asked');
  const followers = [follow(world, launchId), follow(world, launchId)];
  for (const { said } of followers) await until('it is heard', () => said.out === 'one\n');
  writeFileSync(go, '');
  for (const { said, closed } of followers) {
    const [code] = await closed;
    assert.deepEqual([code, said.out], [7, 'one\ntwo\n'], said.err);
    assert.match(said.err, /^talks: failed \(exit 7\)/m);
  }
  assert.equal(await world.count('run_live'), 0);
  const late = follow(world, launchId);
  assert.deepEqual([(await late.closed)[0], late.said.out], [7, 'one\ntwo\n']);
});

test(
  'a job runs as its user where that is allowed, and waits for such a node',
  asRoot,
  async (t) => {
    const world = await makeNodeWorld(t);
    await world.start('strict', patient).session();
    const more = { command: 'id -un; umask', user: 'nobody', umask: '027', cwd: '/', format: 3 };
    await world.add('owned', '@manual', more);
    await runJob(world.channel, 'owned', 'request');
    const { nodes, state } = await whyJob(world.channel, 'owned');
    assert.deepEqual([state, nodes[0]?.keptBy.map(({ by }) => by)], ['cannot_run', ['user']]);
    const crontab = '0 3 * * * nobody /opt/a\n0 4 * * * daemon /opt/b\n';
    const noteOf = async (...more: string[]) =>
      (
        await askCli(['import', '-', '--system', '--dry-run', ...more], {
          ...world,
          input: crontab,
        })
      ).stderr;
    const nowhere =
      /^note: no live node that may run them allows jobs of daemon, nobody: .* as root/m;
    assert.match(await noteOf(), nowhere);

    const allowing = ['--allow-user', 'nobody', '--allow-user', 'daemon'];
    await world.start('open', [...patient, ...allowing]).session();
    await until('it ran', async () => (await world.runs('owned')).length === 1);
    const [ran] = await world.runs('owned');
    assert.equal(ran?.result, 'succeeded', ran?.reason as string);
    const output = await readOutput(world.channel, ran?.launch_id as string);
    assert.equal(Buffer.from(output ?? []).toString(), 'nobody\n0027\n');
    assert.doesNotMatch(await noteOf(), /allows jobs of|start only on/);
    assert.match(await noteOf('--on-node', 'strict'), nowhere);
    const { sessions } = await askJsonCli<ClusterView>(['cluster'], world);
    const told = sessions.map(({ node, users }) => [node, users]);
    assert.deepEqual(told, [
      ['open', ['daemon', 'nobody']],
      ['strict', []],
    ]);
  },
);

test('kill -9 of a node leaves nothing that runs as another user', asRoot, async (t) => {
  const world = await makeNodeWorld(t);
  const file = join(makeFolder(world.scope), 'pids');
  const node = world.start('one', [...patient, '--allow-user', 'nobody']);
  const { pid } = await node.session();
  const daemon = `(env -i setsid bash -c 'echo $$ >> ${file}; exec sleep 300' &)`;
  const marked = `setsid sleep 300 & echo $! >> ${file}`;
  const command = `echo $$ >> ${file}; ${marked}; ${daemon}; wait; wait`;
  await world.add('owned', '@manual', { command, user: 'nobody', cwd: '/', format: 3 });
  await runJob(world.channel, 'owned', 'request');
  const pids = await until('all live', () => pidsIn(file, 3));
  process.kill(pid, 'SIGKILL');
  await until('all are dead', () => !pids.some(isAlive));
});
