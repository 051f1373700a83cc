import { test } from 'node:test';
import { patient } from '../nodeProcess.ts';
import { absenceRows, comesAt } from './absenceRows.ts';
import { holdRows } from './holdRows.ts';
import { drainAndVerify, makeTableWorld } from './tableWorld.ts';

test('ticks that nobody was there for end as each word says', { concurrency: true }, async (t) => {
  const world = await makeTableWorld(t);
  await world.begin(8_000);
  for (const row of absenceRows) await row.prepare?.(world);
  await world.pass(comesAt);
  await world.join('late', patient).session();
  await holdRows(t, absenceRows, world);
  await drainAndVerify(world);
});
