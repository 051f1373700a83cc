import { test } from 'node:test';
import { chainRows } from './chainRows.ts';
import { endRows } from './endRows.ts';
import { handRows } from './handRows.ts';
import { holdRows } from './holdRows.ts';
import { overlapRows } from './overlapRows.ts';
import { processRows } from './processRows.ts';
import { scheduleRows } from './scheduleRows.ts';
import { drainAndVerify, makeTableWorld } from './tableWorld.ts';

/** Those of jobs that have no ticks. */
const untimed = [...chainRows, ...processRows];
const timed = [...scheduleRows, ...overlapRows, ...endRows, ...handRows];

test('one node does with a job what each word says', { concurrency: true }, async (t) => {
  const world = await makeTableWorld(t);
  const isRoot = process.getuid?.() === 0;
  const node = world.join('one', isRoot ? ['--allow-user', 'nobody'] : []);
  await node.session();
  const beganMs = performance.now();
  for (const row of untimed) await row.prepare?.(world);
  // So far ahead that, on a slow machine too, all are there before the first tick.
  await world.begin(4_000 + 4 * (performance.now() - beganMs));
  for (const row of timed) await row.prepare?.(world);
  await holdRows(t, [...timed, ...untimed], world);
  await drainAndVerify(world);
});
