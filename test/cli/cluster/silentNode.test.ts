import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stateCell } from '../../../src/cli/output/table/cells.ts';
import { makeStoreWorld } from '../../support/storeWorld.ts';
import { askCli } from '../askCli.ts';

test('a node that has missed renewals is shown as silent, with its time to live', async (t) => {
  const world = await makeStoreWorld(t, 'mariadb');
  await world.join('web1');
  const silence = 'UPDATE session SET ttl_ms = 600000, renewed_at = NOW(3) - INTERVAL ? SECOND';
  await world.rows(silence, [150]);
  const shown = await askCli(['cluster'], { url: world.url });
  assert.match(shown.stdout, /^web1 +silent for 1\d\d s of 600 s/m);
  assert.equal(stateCell('silent for 150 s of 600 s').colour, 'yellow');
  await world.rows(silence, [0]);
  const live = await askCli(['cluster'], { url: world.url });
  assert.match(live.stdout, /^web1 +live, renewed \d+\.\d s ago/m);
});
