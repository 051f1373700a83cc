import assert from 'node:assert/strict';
import type { JobFields } from '../../../src/domain/job/jobPolicies.ts';
import { reasons } from '../../../src/domain/reasons/reasons.ts';
import { mostAtOnce } from '../../support/mostAtOnce.ts';
import { until } from '../../support/until.ts';
import { endOf, type TableRow, type TableWorld, ticksOf, waitMsMax } from './tableWorld.ts';

/** Ticks so far apart that a slow machine has started the run of the first by the second. */
const [first, second, third] = [0, 6, 7];

/** Its first run goes on until every tick has come. */
function overlapped(
  title: string,
  name: string,
  words: JobFields,
  judge: (rows: Awaited<ReturnType<TableWorld['history']>>, world: TableWorld) => void,
): TableRow {
  return {
    title,
    prepare: (world) =>
      world.job(name, {
        cron: [world.at(first, second, third)],
        command: world.gated(name),
        ...words,
      }),
    holds: async (world) => {
      await world.pass(third + 0.5);
      world.open(name);
      // A range has a row for both of its ticks.
      await world.history(name, words.overlap === undefined ? 2 : 3);
      judge(await world.history(name, 1), world);
    },
  };
}

/** Its run ends by the next tick or not at all; one that came up too late for that, by a later. */
function ousted(
  title: string,
  name: string,
  overlap: 'replace' | 'terminate',
  trap: string,
  judge: (row: { exit_code: number | null; term_signal: string | null }) => void,
): TableRow {
  return {
    title,
    prepare: (world) =>
      world.job(name, {
        cron: [world.at(first, ...[1, 2, 3, 4, 5].map((times) => times * second))],
        command: `${trap}; echo up; ${world.gated(name)}`,
        grace: 60_000,
        overlap,
      }),
    holds: async (world) => {
      const isUp = async () =>
        (await world.history(name, 1, 'stopped')).find(({ output }) => output?.startsWith('up\n'));
      const ended = await until(`the end of ${name} that was up`, isUp, waitMsMax);
      world.open(name);
      assert.ok(ended.reason.startsWith(reasons.replaced(overlap)), ended.reason);
      const livedMs = ended.ended_at.getTime() - ended.started_at.getTime();
      assert.ok(livedMs < 40_000, `${livedMs} ms: its grace was not waited for`);
      judge(ended as never);
      const [ran] = await world.history(name, 1, 'succeeded');
      assert.ok(ran?.scheduled_for > ended.scheduled_for);
      const launched = (await world.history(name, 2)).filter((row) => row.started_at !== null);
      assert.equal(mostAtOnce(launched), 1);
    },
  };
}

export const overlapRows: readonly TableRow[] = [
  overlapped('overlap skip (default): the tick is skipped', 'skips', {}, (rows, world) => {
    assert.deepEqual(ticksOf(world, rows), [first, second]);
    assert.equal(rows[0]?.result, 'succeeded');
    assert.deepEqual(endOf(rows[1]), ['skipped', reasons.stillGoing]);
    assert.equal(rows[1]?.ticks, 2);
  }),
  overlapped(
    'overlap queue: one tick waits until the run has ended; more are skipped',
    'queues',
    { overlap: 'queue' },
    (rows) => {
      assert.deepEqual(endOf(rows[2]), ['skipped', reasons.oneWaits]);
      const ran = rows.slice(0, 2);
      assert.deepEqual(
        ran.map((row) => [row.result, row.triggered_by]),
        [
          ['succeeded', 'schedule'],
          ['succeeded', 'queue'],
        ],
      );
      assert.equal(mostAtOnce(ran), 1);
    },
  ),
  overlapped(
    'overlap queue-all: ticks wait and run in order, up to 1,000 of them',
    'queuesAll',
    { overlap: 'queue-all' },
    (rows) => {
      assert.ok(rows.every((row) => row.result === 'succeeded'));
      const startsMs = rows.map((row) => row.started_at.getTime());
      assert.deepEqual([...startsMs].sort(), startsMs);
      assert.equal(mostAtOnce(rows), 1);
    },
  ),
  ousted(
    'overlap replace: the run is stopped (SIGTERM, grace, SIGKILL), then the tick runs',
    'replaces',
    'replace',
    "trap 'exit 3' TERM",
    (row) => assert.equal(row.exit_code, 3),
  ),
  ousted(
    'overlap terminate: the run is killed at once, then the tick runs',
    'terminates',
    'terminate',
    "trap '' TERM",
    (row) => assert.equal(row.term_signal, 'SIGKILL'),
  ),
  {
    title: 'parallel N: N runs at once; only the tick after that is an overlap',
    prepare: (world) =>
      world.job('beside', {
        cron: [world.at(first, second, 2 * second)],
        command: world.gated('beside'),
        parallel: 2,
      }),
    holds: async (world) => {
      await world.executing('beside', 2);
      await world.pass(2 * second + 0.5);
      world.open('beside');
      const rows = await world.history('beside', 3);
      assert.deepEqual(
        rows.slice(0, 2).map(({ result }) => result),
        ['succeeded', 'succeeded'],
      );
      assert.deepEqual(endOf(rows[2]), ['skipped', reasons.stillGoing]);
      assert.equal(mostAtOnce(rows), 2);
    },
  },
];
