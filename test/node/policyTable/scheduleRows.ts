import assert from 'node:assert/strict';
import { until } from '../../support/until.ts';
import { instant, reportedTicks, type TableRow, ticksOf, waitMsMax } from './tableWorld.ts';

/** Which instants are ticks of the job at all. */
export const scheduleRows: readonly TableRow[] = [
  {
    title: 'cron given twice: the ticks of both, each instant once',
    prepare: (world) =>
      world.job('both', { cron: [world.at(0, 2), world.at(2, 4)], command: 'true' }),
    holds: async (world) => {
      // On a slow machine a tick may be missed: it is reported in a row, as one of several maybe.
      const reported = async () =>
        (await world.history('both', 1)).flatMap((row) => reportedTicks(row, 2_000));
      await until('three ticks', async () => (await reported()).length >= 3, waitMsMax);
      await world.pass(5);
      const places = (await reported()).map((tickMs) => (tickMs - world.baseMs) / 1000);
      assert.deepEqual(places.sort(), [0, 2, 4]);
    },
  },
  {
    title: 'not-before, not-after WHEN: no tick before the one, none after the other',
    prepare: (world) =>
      world.job('window', {
        cron: ['*/2 * * * * *'],
        command: 'true',
        notBefore: instant(world.baseMs + 2_000),
        notAfter: instant(world.baseMs + 5_000),
      }),
    holds: async (world) => {
      await world.pass(8);
      const ticks = ticksOf(world, await world.history('window', 1));
      assert.ok(ticks.length > 0 && ticks.every((each) => each >= 2 && each <= 5), `${ticks}`);
    },
  },
  {
    title: 'exclude DAYS: no tick on these dates, weekdays or times of an expression',
    prepare: (world) => {
      const left = new Date(world.baseMs + 2_000);
      return world.job('excludes', {
        cron: [world.at(0, 2, 4)],
        command: 'true',
        exclude: [`${left.getUTCSeconds()} ${left.getUTCMinutes()} * * * *`, '2001-01-01'],
      });
    },
    holds: async (world) => {
      const rows = await world.history('excludes', 2);
      await world.pass(5);
      assert.deepEqual(ticksOf(world, rows), [0, 4]);
    },
  },
];
