import assert from 'node:assert/strict';
import { makeStoreWorld } from '../../support/storeWorld.ts';
import { askCli } from '../askCli.ts';
import { reach, testBothWays } from '../ways.ts';

testBothWays('job show has the chain around the job, each with its last result', async (t, way) => {
  const world = await makeStoreWorld(t, 'mariadb');
  const cli = await reach(t, way, world);
  const add = async (name: string, ...after: string[]) => {
    const job = ['job', 'add', name, '--cron', '@manual', '--command', 'true'];
    const { code, stderr, stdout } = await askCli([...job, ...after.flatMap(follow)], cli);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  assert.equal(await add('fetch'), 'Added fetch; it runs on request.\n');
  const cleaned = await add('clean', 'fetch');
  assert.equal(cleaned, 'Added clean; it starts after fetch, when it succeeds.\n');
  await add('check', 'fetch:end');
  await add('load', 'clean', 'check:failure');
  await add('report', 'load');
  await add('alone');
  const linesOf = async (name: string) => {
    const { stdout } = await askCli(['job', 'show', name], cli);
    const lines = stdout.matchAll(/^(?:started by|starts|after) .*$/gm);
    return [...lines].map(([line]) => line.replace(/^starts +/, 'starts  '));
  };
  assert.deepEqual(await linesOf('load'), [
    'started by  check, on failure: no run yet',
    'started by    fetch, on any end: no run yet',
    'started by  clean, on success: no run yet',
    'started by    fetch, on success: no run yet',
    'starts  report, on success: no run yet',
  ]);
  assert.deepEqual(await linesOf('alone'), []);
});

const follow = (job: string): string[] => ['--after', job];
