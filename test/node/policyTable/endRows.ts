import assert from 'node:assert/strict';
import { splayOf } from '../../../src/domain/policies/startAt.ts';
import type { Row } from '../../../src/store/connection/channel.ts';
import { showJob } from '../../../src/store/jobs/showJob.ts';
import { until } from '../../support/until.ts';
import { type TableRow, type TableWorld, ticksOf, waitMsMax } from './tableWorld.ts';

const everySecond = ['* * * * * *'];
const failing = { command: 'false', retries: 2, retryDelay: 2_000, retryJitter: false };

const jittered = ['one', 'two', 'three', 'four'].map((each) => `jitter ${each}`);
const spread = ['spread one', 'spread two', 'spread three'];
const selectWaiting = `SELECT pending.not_before FROM pending JOIN job USING (job_id)
  WHERE job.name = ?`;

/** Between the end of each attempt and the start of the next. */
function pausesMsOf(rows: readonly Row[]): number[] {
  return rows
    .slice(1)
    .map((row, place) => row.started_at.getTime() - rows[place]?.ended_at.getTime());
}

async function requirePaused(world: TableWorld, name: string): Promise<void> {
  await until(`${name} is paused`, async () => (await showJob(world.channel, name)).isPaused);
}

/** What becomes of a tick by how its run went. */
export const endRows: readonly TableRow[] = [
  {
    title: 'retries N: a failed or timed out run is tried again, up to N times; each is a run',
    prepare: (world) =>
      world.job('retries', {
        cron: [world.at(0)],
        command: '[ "$STATECRON_ATTEMPT" = 3 ]',
        ...{ retries: 3, retryDelay: 200 },
      }),
    holds: async (world) => {
      const rows = await world.history('retries', 3);
      assert.deepEqual(
        rows.map((row) => [row.attempt, row.result, row.is_final]),
        [
          [1, 'failed', 0],
          [2, 'failed', 0],
          [3, 'succeeded', 1],
        ],
      );
      assert.deepEqual(ticksOf(world, rows), [0, 0, 0]);
    },
  },
  {
    title: 'retry-backoff exponential (default): each delay is twice the one before',
    prepare: (world) => world.job('doubles', { cron: [world.at(0)], ...failing }),
    holds: async (world) => {
      const [oneMs = 0, twoMs = 0] = pausesMsOf(await world.history('doubles', 3));
      assert.ok(oneMs >= 2_000 && twoMs >= 4_000, `${oneMs}, ${twoMs} ms`);
    },
  },
  {
    title: 'retry-backoff fixed: all delays are the same',
    prepare: (world) =>
      world.job('stays', {
        cron: [world.at(0)],
        ...failing,
        ...{ retries: 10, retryDelay: 200, retryBackoff: 'fixed' },
      }),
    holds: async (world) => {
      const delaysMs = pausesMsOf(await world.history('stays', 11));
      // Doubled, the last would be 102 s.
      const isFixed = delaysMs.every((each) => each >= 200 && each < 100_000);
      assert.ok(delaysMs.length === 10 && isFixed, `${delaysMs}`);
    },
  },
  {
    title: 'retry-jitter (default): each delay is drawn between half of it and the whole',
    prepare: async (world) => {
      for (const name of jittered) {
        await world.job(name, {
          cron: [world.at(0)],
          command: 'false',
          ...{ retries: 1, retryDelay: 3_600_000 },
        });
      }
    },
    holds: async (world) => {
      const delaysMs: number[] = [];
      for (const name of jittered) {
        const [ended] = await world.history(name, 1);
        const [waits] = await world.rows(selectWaiting, [name]);
        delaysMs.push(waits?.not_before.getTime() - ended?.ended_at.getTime());
      }
      // It is drawn when the end is written, which may be some time after the end.
      const writtenMs = 300_000;
      assert.ok(delaysMs.every((each) => each >= 1_800_000 && each <= 3_600_000 + writtenMs));
      const [least, most] = [Math.min(...delaysMs), Math.max(...delaysMs)];
      assert.ok(most - least > 1_000, `${delaysMs}`);
    },
  },
  {
    title: 'timeout D: SIGTERM after D, SIGKILL after the grace; the run is timed_out',
    prepare: (world) =>
      world.job('overruns', {
        cron: everySecond,
        command: `trap '' TERM; echo up; ${world.gated('overruns')}`,
        ...{ timeout: 1_000, grace: 500 },
      }),
    holds: async (world) => {
      // Bash may start too late to be deaf to the first SIGTERM: one that it was deaf to is judged.
      const row = await until(
        'one that was up',
        async () => (await world.history('overruns', 1)).find(({ output }) => output === 'up\n'),
        waitMsMax,
      );
      world.open('overruns');
      assert.deepEqual([row.result, row.term_signal], ['timed_out', 'SIGKILL']);
      assert.ok(row.ended_at.getTime() - row.started_at.getTime() >= 1_400);
    },
  },
  {
    title: 'max-runs N: the job is paused after N ticks that ran',
    prepare: (world) => world.job('twice', { cron: everySecond, command: 'true', maxRuns: 2 }),
    holds: async (world) => {
      await requirePaused(world, 'twice');
      const rows = await world.history('twice', 2, 'succeeded');
      assert.equal(rows.length, 2);
    },
  },
  {
    title: 'pause-after-failures N: the job is paused after N failures in a row',
    prepare: (world) =>
      world.job('gives up', { cron: everySecond, command: 'false', pauseAfterFailures: 3 }),
    holds: async (world) => {
      await requirePaused(world, 'gives up');
      assert.equal((await world.history('gives up', 3, 'failed')).length, 3);
    },
  },
  {
    title: 'splay D: each tick starts up to D later, by a hashed number of its own',
    prepare: async (world) => {
      for (const name of spread) {
        await world.job(name, { cron: [world.at(0)], command: 'true', splay: 2_000 });
      }
    },
    holds: async (world) => {
      const splays = new Set<number>();
      for (const name of spread) {
        const [row] = await world.history(name, 1, 'succeeded');
        const tickMs = row?.scheduled_for.getTime();
        const splayMs = splayOf({ name, splayMs: 2_000 }, tickMs);
        assert.ok(row?.started_at.getTime() >= tickMs + splayMs);
        splays.add(splayMs);
      }
      // Two of them are the same now and then.
      assert.ok(splays.size > 1, `${[...splays]}`);
    },
  },
];
