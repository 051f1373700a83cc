import assert from 'node:assert/strict';
import { runJob } from '../../../src/store/requests/runJob.ts';
import type { TableRow, TableWorld } from './tableWorld.ts';

const heads = ['good', 'bad'] as const;

/** Each has an upstream that succeeds and one that fails. */
function follower(title: string, end: string, results: readonly string[]): TableRow {
  const name = (head: string): string => `${head} ${end}`;
  const followers = (world: TableWorld) => world.history(`after ${end}`, results.length);
  return {
    title,
    prepare: async (world) => {
      for (const head of heads) {
        await world.job(name(head), { cron: ['@manual'], command: `[ ${head} = good ]` });
      }
      await world.job(`after ${end}`, {
        cron: ['@manual'],
        command: 'echo $STATECRON_UPSTREAM_RESULT',
        after: heads.map((head) => `${name(head)}${end}`),
      });
      // It has seen all that there is to be seen when this one has run for both.
      await world.job(`all ${end}`, {
        cron: ['@manual'],
        command: 'true',
        after: heads.map((head) => `${name(head)}:end`),
      });
    },
    holds: async (world) => {
      // One by one: of two starts that wait at once, one would be skipped.
      const wanted = { good: 'succeeded', bad: 'failed' };
      let ran = 0;
      for (const [place, head] of heads.entries()) {
        await runJob(world.channel, name(head), name(head));
        await world.history(`all ${end}`, place + 1);
        if (results.includes(wanted[head])) ran += 1;
        await world.history(`after ${end}`, ran);
      }
      const rows = await followers(world);
      const ends = rows.map((row) => [row.triggered_by, row.result, row.reason]);
      assert.deepEqual(ends, Array(results.length).fill(['chain', 'succeeded', null]));
      assert.deepEqual(rows.map((row) => (row.output as string).trim()).sort(), results);
    },
  };
}

export const chainRows: readonly TableRow[] = [
  follower('after JOB: it runs when JOB has succeeded', ':success', ['succeeded']),
  follower('after JOB:failure: when JOB has failed for good', ':failure', ['failed']),
  follower('after JOB:end: when JOB has ended, however', ':end', ['failed', 'succeeded']),
];
