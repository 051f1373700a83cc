import assert from 'node:assert/strict';
import { makeStoreWorld } from '../../support/storeWorld.ts';
import { askCli } from '../askCli.ts';
import { reach, testBothWays } from '../ways.ts';

testBothWays('a job shows no run of a removed one of its name', async (t, way) => {
  const world = await makeStoreWorld(t, 'mariadb');
  const cli = await reach(t, way, world);
  const ask = (...args: string[]) => askCli(['job', ...args], cli);
  const add = ['add', 'x', '--cron', '@daily', '--command', 'true'];
  await ask(...add);
  await ask('skip-next', 'x');
  assert.match((await ask('show', 'x')).stdout, /^last +skipped/m);
  await ask('remove', 'x');
  await ask(...add);
  assert.doesNotMatch((await ask('show', 'x')).stdout, /^(last|see) /m);
  await ask('skip-next', 'x');
  assert.match((await ask('show', 'x')).stdout, /^last +skipped/m);
});
