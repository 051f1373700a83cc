import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { JobDefinition } from '../../src/domain/job/jobDefinition.ts';
import { reasons } from '../../src/domain/reasons/reasons.ts';
import { startFaultProxy } from '../fault/proxy/faultProxy.ts';
import { until } from '../support/until.ts';
import { makeActorWorld } from './actorWorld.ts';

/** What comes between a node and its database, and how it goes again. */
const outages = {
  'is gone': (proxy) => {
    proxy.refuse(true);
    proxy.cutAll();
    return () => proxy.refuse(false);
  },
  'stands still': (proxy) => {
    proxy.blackHole('both');
    return () => proxy.heal();
  },
} satisfies Record<string, (proxy: Awaited<ReturnType<typeof startFaultProxy>>) => () => void>;

/** A run of a job of each second ends while the database is away, and others are due there. */
async function endInOutage(
  t: TestContext,
  kind: keyof typeof outages,
  more: Partial<JobDefinition> = {},
) {
  const world = await makeActorWorld(t);
  const proxy = await startFaultProxy(world.scope, world.url);
  let ended = 0;
  world.ledger.lastsMs = () => (ended === 0 ? null : 0);
  await world.add('job', '* * * * * *', more);
  world.node('a', { url: proxy.url });
  const entry = await until('it executes', () => world.ledger.entries[0]);
  const nowMs = async () => (await world.rows('SELECT NOW(3) AS at'))[0]?.at.getTime();
  const comeBack = outages[kind](proxy);
  const beforeMs = await nowMs();
  await until('a tick falls into the run', async () => (await nowMs()) > beforeMs + 1_100);
  ended += 1;
  entry.end();
  await delay(100); // it is heard of in this process
  const endedByMs = await nowMs();
  await until('ticks are due after it', async () => (await nowMs()) > endedByMs + 4_100);
  const backMs = await nowMs();
  comeBack();
  await until('it runs again', () => world.ledger.entries.length > 1);
  await until('that is over', async () => {
    const [first, ...others] = (await world.runs()).filter(({ launch_id }) => launch_id !== null);
    // A node that comes late to the first tick of all has those until then to make up for before.
    const endedAt = first?.ended_at ?? null;
    return endedAt !== null && others.some(({ scheduled_for }) => scheduled_for > endedAt);
  });
  await world.requireSound();
  const rows = await world.runs();
  // A machine that stands still misses ticks before the first.
  const first = rows.findIndex(({ launch_id }) => launch_id !== null);
  const [run, ...others] = rows.slice(first);
  // By the node's clock, which is late by as much as its fastest reply took.
  const endMs = run?.ended_at.getTime();
  assert.ok(endMs <= endedByMs, `it ended ${endMs - endedByMs} ms after its command`);
  assert.ok(endMs - run?.started_at.getTime() > 1_100, 'it ended when its command did');
  const after = others.filter(({ scheduled_for }) => scheduled_for.getTime() > endMs);
  return { run, others, after, endMs, backMs };
}

describe('a run that ends while the database is away', { concurrency: 4 }, () => {
  for (const kind of Object.keys(outages) as (keyof typeof outages)[]) {
    test(`ended when its command did: the database ${kind}`, async (t) => {
      const { run, others, after, backMs, endMs } = await endInOutage(t, kind);
      assert.deepEqual([run?.result, run?.reason], ['succeeded', null]);
      // What comes later may overlap with a run of its own.
      const skipped = others
        .filter(({ reason }) => reason === reasons.stillGoing)
        .filter(({ scheduled_for }) => scheduled_for.getTime() < backMs);
      const until = Math.max(
        ...skipped.map((row) => Number(row.scheduled_until ?? row.scheduled_for)),
      );
      assert.ok(until <= endMs, `ticks after its end are not overlapped: ${until - endMs}`);
      const missed = after.filter(({ result }) => result === 'missed');
      assert.ok(
        missed.reduce((sum, { ticks }) => sum + ticks, 0) >= 2,
        'the outage is in the history',
      );
      for (const { reason } of missed) assert.equal(reason, reasons.databaseAway);
      const [madeUp] = after.filter(({ launch_id }) => launch_id !== null);
      assert.equal(madeUp?.triggered_by, 'misfire');
    });
  }

  test('leaves what came due since to the catch-up of its job', async (t) => {
    const { after, backMs } = await endInOutage(t, 'is gone', { misfire: 'all', format: 2 });
    const launched = after.filter(({ launch_id }) => launch_id !== null);
    assert.equal(launched[0]?.triggered_by, 'misfire');
    assert.ok(launched[0]?.scheduled_for.getTime() < backMs - 2_000, 'the oldest is first');
  });
});
