import assert from 'node:assert/strict';
import { reasons } from '../../../src/domain/reasons/reasons.ts';
import { goLive, pauseJob } from '../../../src/store/jobs/changes/changeJob.ts';
import { skipNext } from '../../../src/store/jobs/changes/skipNext.ts';
import { showJob } from '../../../src/store/jobs/showJob.ts';
import { backfillJob } from '../../../src/store/requests/backfillJob.ts';
import { retryRun } from '../../../src/store/requests/retryRun.ts';
import { runJob } from '../../../src/store/requests/runJob.ts';
import { stopRun } from '../../../src/store/requests/stopRun.ts';
import { until } from '../../support/until.ts';
import { type TableRow, ticksOf } from './tableWorld.ts';

const cron = ['@manual'];

/** What an operator asks for besides the schedule. */
export const handRows: readonly TableRow[] = [
  {
    title: "job run --env K=V: it runs now, with the variable over the job's own; paused, too",
    prepare: (world) =>
      world.job('asked', { cron, command: 'test "$LEVEL" = full', env: ['LEVEL=low'] }),
    holds: async (world) => {
      await pauseJob(world.channel, 'asked');
      await runJob(world.channel, 'asked', 'plain');
      await world.history('asked', 1);
      await runJob(world.channel, 'asked', 'full', { env: { LEVEL: 'full' } });
      const rows = await world.history('asked', 2);
      assert.deepEqual(
        rows.map((row) => [row.request_id, row.result]),
        [
          ['plain', 'failed'],
          ['full', 'succeeded'],
        ],
      );
    },
  },
  {
    title: 'job run --ignore-overlap: beside what runs, where parallel has room; else refused',
    prepare: (world) => world.job('more', { cron, command: world.gated('more'), parallel: 2 }),
    holds: async (world) => {
      await runJob(world.channel, 'more', 'one');
      await world.executing('more', 1);
      await runJob(world.channel, 'more', 'two', { ignoresOverlap: true });
      await world.executing('more', 2);
      const third = runJob(world.channel, 'more', 'three', { ignoresOverlap: true });
      await assert.rejects(third, { name: 'OperatorError' });
      world.open('more');
      assert.equal((await world.history('more', 2, 'succeeded')).length, 2);
    },
  },
  {
    title: 'job skip-next --count N: its next N ticks are skipped, prepared ones too',
    prepare: (world) => world.job('omits', { cron: [world.at(10, 11, 12)], command: 'true' }),
    holds: async (world) => {
      await skipNext(world.channel, 'omits', 2);
      const [last] = await world.history('omits', 1, 'succeeded');
      assert.ok(last);
      assert.deepEqual(ticksOf(world, [last]), [12]);
      const skipped = await world.history('omits', 1, 'skipped');
      assert.equal(
        skipped.reduce((sum, row) => sum + row.ticks, 0),
        2,
      );
    },
  },
  {
    title:
      'backfill --from --to: each tick of the range runs, in order; ' +
      'a range that ends in the future is refused',
    prepare: (world) => world.job('fills', { cron: ['0 0 1 * *'], command: 'true' }),
    holds: async (world) => {
      const range = {
        fromMs: Date.parse('2020-01-01T00:00:00Z'),
        untilMs: Date.parse('2020-03-31T00:00:00Z'),
      };
      await backfillJob(world.channel, 'fills', 'fill', { ...range, ticksMax: 10 });
      const rows = await world.history('fills', 3, 'succeeded');
      const days = rows.map((row) => row.scheduled_for.toISOString().slice(0, 10));
      assert.deepEqual(days, ['2020-01-01', '2020-02-01', '2020-03-01']);
      const startsMs = rows.map((row) => row.started_at.getTime());
      assert.deepEqual([...startsMs].sort(), startsMs);
      const ahead = { ...range, untilMs: world.baseMs + 3_600_000, ticksMax: 1_000 };
      const refused = backfillJob(world.channel, 'fills', 'ahead', ahead);
      await assert.rejects(refused, { code: 'backfill_future' });
    },
  },
  {
    title: 'run stop ID: SIGTERM, grace, SIGKILL; the run is stopped',
    prepare: (world) =>
      world.job('stops', { cron, command: `trap 'exit 4' TERM; ${world.gated('stops')}` }),
    holds: async (world) => {
      await runJob(world.channel, 'stops', 'stops');
      const [launchId = ''] = await world.executing('stops', 1);
      await stopRun(world.channel, launchId);
      const [row] = await world.history('stops', 1);
      assert.equal(row?.result, 'stopped');
    },
  },
  {
    title: 'run retry ID: it runs once more, as the next attempt of its tick',
    prepare: (world) => world.job('again', { cron: [world.at(0)], command: 'false' }),
    holds: async (world) => {
      const [failed] = await world.history('again', 1);
      await retryRun(world.channel, failed?.launch_id as string);
      const rows = await world.history('again', 2);
      assert.deepEqual(
        rows.map(({ attempt }) => attempt),
        [1, 2],
      );
      assert.deepEqual(
        rows.map((row) => row.is_final),
        [0, 1],
      );
      assert.deepEqual(ticksOf(world, rows), [0, 0]);
    },
  },
  {
    title:
      'observed: its ticks are recorded as skipped; nothing starts but by hand, until job go-live',
    prepare: (world) =>
      world.job('watched', { cron: ['* * * * * *'], command: 'true', observed: true }),
    holds: async (world) => {
      await world.history('watched', 2, 'skipped');
      await runJob(world.channel, 'watched', 'by hand');
      const [byHand, ...others] = await world.history('watched', 1, 'succeeded');
      assert.deepEqual([byHand?.request_id, others], ['by hand', []]);
      const { inForceFromMs } = await goLive(world.channel, 'watched');
      const rows = await until('it is live', async () => {
        const all = await world.history('watched', 1, 'succeeded');
        return all.length > 1 && world.history('watched', 1);
      });
      // A node that stood still may have missed ticks before as well as after.
      for (const row of rows.filter(({ request_id: id }) => id === null)) {
        const isLive = row.scheduled_for.getTime() >= inForceFromMs;
        if (isLive) assert.notEqual(row.reason, reasons.observed);
        else assert.notEqual(row.result, 'succeeded');
      }
      assert.ok(rows.some((row) => row.reason === reasons.observed));
    },
  },
  {
    title: 'job pause --until T: nothing runs by the schedule until then, nothing is made up for',
    prepare: (world) => world.job('rests', { cron: ['* * * * * *'], command: 'true' }),
    holds: async (world) => {
      await world.history('rests', 1, 'succeeded');
      await pauseJob(world.channel, 'rests', { forMs: 2_500 });
      await until('it goes on', async () => !(await showJob(world.channel, 'rests')).isPaused);
      const { revisions } = await showJob(world.channel, 'rests');
      const [resumed = 0, paused = 0] = revisions.map((each) => each.inForceFromMs);
      const later = (row: { scheduled_for: Date }) => row.scheduled_for.getTime() > resumed;
      const rows = await until('a tick after it', async () => {
        const all = await world.history('rests', 1);
        return all.some((row) => later(row as never)) && all;
      });
      assert.ok(resumed - paused >= 2_500);
      const between = rows.filter(
        ({ scheduled_for: tick }) => tick.getTime() > paused && tick.getTime() < resumed,
      );
      assert.deepEqual(between, []);
    },
  },
];
