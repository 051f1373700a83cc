import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { allStripes } from '../../../src/domain/run/stripes.ts';
import { makeActorWorld } from '../../actors/actorWorld.ts';
import { holdStripes } from '../../actors/holdStripes.ts';
import { makeNodeWorld } from '../../node/nodeWorld.ts';
import { onceAt } from '../../support/addOnce.ts';
import { until } from '../../support/until.ts';
import { watchStalls } from '../../support/watchStalls.ts';

const holdMs = 30_000;
/** Half of that; three seconds between the end of a lease and it, for a machine that stalls. */
const ttl = ['--session-ttl', '15s'];

describe('locks that somebody else holds', { concurrency: true }, () => {
  test('all locks held for 30 s cost no node its life and no tick; then all goes on', async (t) => {
    const world = await makeNodeWorld(t);
    for (let number = 1; number <= 6; number += 1) await world.add(`job${number}`, '* * * * * *');
    const nodes = [world.start('a', ttl), world.start('b', ttl)];
    const sessions = await Promise.all(nodes.map((node) => node.session()));
    await until('both run', async () => (await world.runs()).length >= 12);
    // How late starts are on this machine when nothing holds them up.
    const usualMs = Math.max(
      ...(await world.runs())
        .filter((run) => run.started_at !== null)
        .map((run) => run.started_at.getTime() - run.scheduled_for.getTime()),
    );
    // That of session management too: heartbeats wait for no lock at all.
    const release = await holdStripes(world, [...allStripes, 64]);
    const heldSince = await databaseNow();
    const doneBefore = await world.count('run');
    await until('30 s', async () => (await databaseNow()) - heldSince >= holdMs, 40_000);
    // What had its start committed when the locks were taken may not even have been finished.
    assert.ok((await world.count('run')) <= doneBefore);
    const stalledMs = watchStalls(world);
    await release();
    const releasedMs = await databaseNow();
    const sinceRelease = () =>
      world.rows('SELECT started_at FROM run WHERE started_at >= ? ORDER BY started_at', [
        new Date(releasedMs),
      ]);
    const [first] = await until('starts', async () => {
      const rows = await sinceRelease();
      return rows.length >= 12 && rows;
    });
    const resumedMs = first?.started_at.getTime() - releasedMs;
    t.diagnostic(
      `the first start came ${resumedMs} ms after the release (else ${usualMs} ms late)`,
    );
    assert.ok(resumedMs < 1_000 + 5 * usualMs + stalledMs());
    assert.deepEqual(await Promise.all(nodes.map((node) => node.session())), sessions);
    assert.equal(await world.count('session'), 2, 'nobody died');
    await world.requireEveryTick();

    async function databaseNow(): Promise<number> {
      const [clock] = await world.rows('SELECT NOW(3) AS at');
      return clock?.at.getTime();
    }
  });

  test('one stripe held, with more due than a node has room for, delays no other', async (t) => {
    const world = await makeActorWorld(t);
    const held = 7;
    // The held ones are due first, so that a look in the order of ticks sees them first.
    const [clock] = await world.rows(
      'SELECT NOW() + INTERVAL 15 SECOND AS held, NOW() + INTERVAL 17 SECOND AS others',
    );
    let jobs = 0;
    for (let count = 0; count < 20; count += 1) await addOnStripe(held, clock?.held);
    for (let count = 0; count < 5; count += 1) await addOnStripe(held + 1, clock?.others);
    const release = await holdStripes(world, [held]);
    const node = world.node('a', { capacity: 10, ttlMs: 10_000 });
    const stalledMs = watchStalls(world);
    const others = () => world.ledger.entries.filter(({ launch }) => launch.stripe !== held);
    await until('the others ran', () => others().length === 5, 40_000);
    const [late] = await world.rows(
      'SELECT COUNT(*) AS runs FROM run WHERE started_at > ? + INTERVAL ? MICROSECOND',
      [clock?.others, Math.round(1_000 * (2_000 + stalledMs()))],
    );
    assert.equal(late?.runs, 0);
    assert.equal(world.ledger.entries.length, 5);
    await release();
    await until('the held ones ran', async () => (await world.runs()).length === 25);
    assert.equal(node.ending(), null);
    await world.requireSound();

    /** A job of a stripe with one tick in the year. */
    async function addOnStripe(stripe: number, at: Date): Promise<void> {
      jobs += 1;
      // The stripe comes from the id, and ids only go up.
      await world.rows(`ALTER TABLE job AUTO_INCREMENT = ${stripe + 64 * jobs}`);
      assert.equal(await world.add(`job${jobs}`, onceAt(at)), at.getTime());
    }
  });
});
