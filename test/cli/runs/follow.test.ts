import assert from 'node:assert/strict';
import { writeLive } from '../../../src/store/runs/liveOutput.ts';
import { makeStoreWorld } from '../../support/storeWorld.ts';
import { until } from '../../support/until.ts';
import { runCli } from '../runCli.ts';
import { reach, testBothWays } from '../ways.ts';

testBothWays(
  'what a run writes is printed as it is published, and its end is its own',
  async (t, way) => {
    const world = await makeStoreWorld(t, 'mariadb');
    const cli = await reach(t, way, world);
    await world.addJob('job');
    const node = await world.join('a');
    const [launch] = await node.claim();
    assert.ok(launch);
    assert.deepEqual(await node.start(launch), { verdict: 'done' });
    const { launchId } = launch;
    let printed = '';
    const following = runCli(['run', 'log', '--follow', launchId], {
      ...cli,
      onOutput: (chunk) => {
        printed += chunk;
      },
    });
    const isAsked = async (): Promise<boolean> => {
      return (
        (await world.rows('SELECT 1 FROM run_live WHERE launch_id = ?', [launchId])).length > 0
      );
    };
    await until('somebody asks', isAsked, 120_000);
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
