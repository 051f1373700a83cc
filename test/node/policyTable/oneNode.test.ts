import { test } from 'node:test';
import { patient } from '../nodeProcess.ts';
import { holdRows } from './holdRows.ts';
import { oneNodeRows, timedRows, untimedRows } from './oneNodeRows.ts';
import { drainAndVerify, makeTableWorld } from './tableWorld.ts';

test('one node does with a job what each word says', { concurrency: true }, async (t) => {
  const world = await makeTableWorld(t);
  const isRoot = process.getuid?.() === 0;
  const node = world.join('one', isRoot ? [...patient, '--allow-user', 'nobody'] : patient);
  await node.session();
  const beganMs = performance.now();
  for (const row of untimedRows) await row.prepare?.(world);
  // So far ahead that, on a slow machine too, all are there before the first tick.
  await world.begin(4_000 + 4 * (performance.now() - beganMs));
  for (const row of timedRows) await row.prepare?.(world);
  await holdRows(t, oneNodeRows, world);
  await drainAndVerify(world);
});
