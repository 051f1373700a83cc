import { test } from 'node:test';
import { patient } from '../nodeProcess.ts';
import { holdRows } from './holdRows.ts';
import { lossRows } from './lossRows.ts';
import { nodeFlags, placeRows } from './placeRows.ts';
import { drainAndVerify, makeTableWorld } from './tableWorld.ts';

test('four nodes share jobs as each word says', { concurrency: true }, async (t) => {
  const world = await makeTableWorld(t);
  // Only the end of the lease of `first` is waited for.
  const ttlOf = (name: string) => (name === 'first' ? ['--session-ttl', '15s'] : patient);
  const nodes = Object.entries(nodeFlags).map(([name, flags]) =>
    world.join(name, [...ttlOf(name), ...flags]),
  );
  for (const node of nodes) await node.session();
  for (const row of [...placeRows, ...lossRows]) await row.prepare?.(world);
  await holdRows(t, placeRows, world);
  for (const row of lossRows) await holdRows(t, [row], world);
  await drainAndVerify(world);
});
