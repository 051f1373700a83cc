import assert from 'node:assert/strict';
import { reasons } from '../../../src/domain/reasons/reasons.ts';
import { endOf, type TableRow, ticksOf } from './tableWorld.ts';

/** The ticks that nobody was there for, in seconds after the base. */
const ticks = [0, 1, 2];

/** When the node comes: the last of the ticks is late then, and too late for what has a bound. */
export const comesAt = 14;

function missed(
  title: string,
  name: string,
  words: Parameters<Parameters<NonNullable<TableRow['prepare']>>[0]['job']>[1],
  judge: (...args: Parameters<typeof ticksOf>) => void,
  rowsMin = 1,
): TableRow {
  return {
    title,
    prepare: (world) => world.job(name, { cron: [world.at(...ticks)], command: 'true', ...words }),
    holds: async (world) => judge(world, await world.history(name, rowsMin)),
  };
}

/** What becomes of ticks while no node is there, once one has come. */
export const absenceRows: readonly TableRow[] = [
  missed(
    'misfire once (default): the last tick runs, the others are one missed row',
    'once',
    {},
    (world, rows) => {
      const [range, last] = rows;
      assert.deepEqual(ticksOf(world, rows), [0, 2]);
      assert.deepEqual([...endOf(range), range?.ticks], ['missed', reasons.nobodyThere, 2]);
      assert.deepEqual([last?.result, last?.triggered_by], ['succeeded', 'misfire']);
    },
    2,
  ),
  missed(
    'misfire skip: none runs that is more than 10 s late; they are one missed row',
    'skip',
    { misfire: 'skip' },
    (_world, [range, ...others]) => {
      assert.deepEqual([...endOf(range), range?.ticks], ['missed', reasons.nobodyThere, 3]);
      assert.equal(others.length, 0);
    },
  ),
  missed(
    'misfire all: each runs, in order, one after the other',
    'all',
    { misfire: 'all' },
    (world, rows) => {
      assert.deepEqual(ticksOf(world, rows), ticks);
      assert.ok(rows.every((row) => row.result === 'succeeded'));
      const startsMs = rows.map((row) => row.started_at.getTime());
      assert.deepEqual([...startsMs].sort(), startsMs);
    },
    3,
  ),
  missed(
    'catch-up D: what is older than D is missed (any age runs; with all: 1h)',
    'catches up',
    { catchUp: 11_000 },
    (_world, [range, ...others]) => {
      assert.deepEqual([...endOf(range), range?.ticks], ['missed', reasons.tooOld, 3]);
      assert.equal(others.length, 0);
    },
  ),
  missed(
    'start-deadline D: a tick that could not start within D is missed',
    'deadline',
    { startDeadline: 5_000 },
    (_world, rows) => {
      assert.ok(rows.every((row) => row.result === 'missed' && row.started_at === null));
      assert.equal(rows.at(-1)?.reason, reasons.tooLate);
      assert.equal(
        rows.reduce((sum, row) => sum + row.ticks, 0),
        3,
      );
    },
    2,
  ),
];
