import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findTickFaults } from '../../support/everyTick.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { until } from '../../support/until.ts';
import { addressOf, hasDone, isMet, makeCutWorld, runWhatIsDue } from './lostOrLate.ts';

/** At this TTL a client gives up after 5 s, and the server cuts a silent connection after 9 s. */
const ttlMs = 45_000;
const silenceMs = 9_000;

await forEachEngine((engine) => {
  describe('a connection that falls silent', { concurrency: true }, () => {
    // Within a transaction that holds its stripe, and after the server has done it.
    for (const [kind, statement] of [
      ['half-open', '/* startSlots */'],
      ['half-open', '/* commitBatch commit */'],
      ['half-open after', '/* startSlots */'],
    ] as const) {
      test(`a holder of locks that falls silent (${kind}, ${statement}) is cut`, async (t) => {
        const world = await makeCutWorld(t, engine);
        await world.addDue('job');
        const silent = await world.through('silent', ttlMs);
        const other = await world.join('other');
        const [launch] = await silent.claim(1);
        const armed = world.proxy.arm({ kind, statement });
        const asking = silent.start(launch as NonNullable<typeof launch>);
        await isMet(armed);
        const beganMs = performance.now();
        // Heartbeats of others wait for none of its locks, and its own next one neither.
        const heartbeat = await other.store.renewSession(0, 1);
        assert.equal(heartbeat.outcome, 'committed');
        assert.equal((await silent.store.renewSession(0, 1)).outcome, 'committed');
        assert.ok(performance.now() - beganMs < silenceMs / 2);
        const reset = { kind: 'reset', why: 'overdue', ...addressOf(launch ?? null) } as const;
        assert.deepEqual(await other.ask(reset), { verdict: 'busy' });
        assert.equal(await asking, 'unknown');
        await until('the stripe is free', async () => {
          const verdict = await other.ask(reset);
          return typeof verdict === 'object' && verdict.verdict !== 'busy';
        });
        const heldMs = performance.now() - beganMs;
        t.diagnostic(`the stripe was held for ${Math.round(heldMs)} ms`);
        assert.ok(heldMs < 3 * silenceMs, 'not for the 8 hours of the server’s default');
        // What it had begun was rolled back, so it is prepared as before.
        assert.equal(hasDone(await silent.start(launch as NonNullable<typeof launch>)), true);
        assert.equal(hasDone(await silent.finish(launch as NonNullable<typeof launch>)), true);
        await runWhatIsDue(other);
        assert.deepEqual(await findTickFaults(world.channel), []);
        assert.equal((await world.rows('SELECT * FROM run')).length, 1);
      });
    }

    test('a connection that was committed on and then falls silent holds nothing', async (t) => {
      const world = await makeCutWorld(t, engine);
      await world.addDue('job');
      const silent = await world.through('silent', ttlMs);
      const other = await world.join('other');
      const [launch] = await silent.claim(1);
      assert.ok(launch);
      const armed = world.proxy.arm({ kind: 'half-open after', statement: 'commitBatch commit' });
      const beganMs = performance.now();
      const asking = silent.start(launch);
      await isMet(armed);
      const reset = { kind: 'reset', why: 'overdue', ...addressOf(launch) } as const;
      const verdict = await other.ask(reset);
      assert.ok(typeof verdict === 'object' && verdict.verdict === 'refused');
      assert.ok(performance.now() - beganMs < silenceMs);
      assert.equal(await asking, 'unknown', 'the client has given it up');
      const own = { kind: 'reset', why: 'own', ...addressOf(launch) } as const;
      assert.equal(hasDone(await silent.ask(own)), true);
      await runWhatIsDue(silent);
      const runs = await world.rows('SELECT result FROM run ORDER BY run_id');
      assert.deepEqual(
        runs.map(({ result }) => result),
        ['not_started', 'succeeded'],
      );
    });
  });
});
