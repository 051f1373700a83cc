import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { writeLive } from '../../../src/store/runs/liveOutput.ts';
import { makeStoreWorld } from '../../support/storeWorld.ts';
import { until } from '../../support/until.ts';
import { runCli } from '../runCli.ts';
import { reach, testBothWays, type Way } from '../ways.ts';

/** A run under way. `asked`: once somebody asks its node for what it has written. */
async function startRun(t: TestContext, way: Way) {
  const world = await makeStoreWorld(t, 'mariadb');
  const cli = await reach(t, way, world);
  await world.addJob('job');
  const node = await world.join('a');
  const [launch] = await node.claim();
  assert.ok(launch);
  assert.deepEqual(await node.start(launch), { verdict: 'done' });
  const isAsked = async (): Promise<boolean> => {
    const select = 'SELECT 1 FROM run_live WHERE launch_id = ?';
    return (await world.rows(select, [launch.launchId])).length > 0;
  };
  return { asked: () => until('somebody asks', isAsked, 120_000), cli, launch, node, world };
}

testBothWays(
  'what a run writes is printed as it is published, and its end is its own',
  async (t, way) => {
    const { asked, cli, launch, node, world } = await startRun(t, way);
    const { launchId } = launch;
    let printed = '';
    const following = runCli(['run', 'log', '--follow', launchId], {
      ...cli,
      onOutput: (chunk) => {
        printed += chunk;
      },
    });
    await asked();
    const output = Buffer.from('one\n\u0000two\n');
    await writeLive(world.channel, [{ launchId, output: output.subarray(0, 4), outputBytes: 4 }]);
    await until('the beginning is printed', () => printed === 'one\n', 120_000);
    await node.store.writeOutputs([{ launchId, output }]);
    await node.finish(launch, {
      result: 'failed',
      exitCode: 3,
      output,
      outputBytes: output.length,
    });
    const { bytes, code, stderr } = await following;
    assert.deepEqual(bytes, output, 'each byte once');
    assert.equal(code, 3);
    assert.match(stderr, /^job: failed \(exit 3\), /);
  },
);

testBothWays(
  'what a run under way has written is printed, and what prints the rest',
  async (t, way) => {
    const { asked, cli, launch, world } = await startRun(t, way);
    const { launchId } = launch;
    const printing = runCli(['job', 'log', 'job'], cli);
    await asked();
    const output = Buffer.from('one\n');
    await writeLive(world.channel, [{ launchId, output, outputBytes: 4 }]);
    const { bytes, stderr } = await printing;
    assert.deepEqual(bytes, output);
    assert.match(
      stderr,
      /\nIt has not ended\. What it writes from now on: statecron run log --follow /,
    );
  },
);
