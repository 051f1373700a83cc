import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { boundsOfTtl } from '../../src/store/openNodeStore.ts';
import { until } from '../support/until.ts';
import { watchStalls } from '../support/watchStalls.ts';
import { type ActorWorld, makeActorWorld } from './actorWorld.ts';
import { holdStripes } from './holdStripes.ts';

const heldStripe = 7;
const freeStripe = 8;
/** A machine that stands still for some seconds makes no outcome unknown. */
const ttlMs = 45_000;
/** Who waits once for a lock that is held waits for two seconds: a tick in the first is as late. */
const lateMsMax = 1_000 * (boundsOfTtl(ttlMs).lockWaitSeconds - 1);
const patienceMs = 120_000;

async function putOn(world: ActorWorld, stripe: number, jobName: string): Promise<void> {
  const affected = 'UPDATE slot JOIN job USING (job_id) SET stripe = ? WHERE job.name = ?';
  await world.rows(affected, [stripe, jobName]);
}

/**
 * How late the ticks after an instant of a job that runs each second were started, or were known to
 * be missed, in milliseconds; the first two left out.
 */
async function lateness(world: ActorWorld, jobName: string, afterMs = 0): Promise<number[]> {
  const runs = (await world.runs(jobName)).slice(2);
  return runs
    .filter((run) => run.scheduled_for.getTime() > afterMs && run.result !== 'not_started')
    .map((run) => (run.started_at ?? run.ended_at).getTime() - run.scheduled_for.getTime());
}

describe('one stripe held', { concurrency: true }, () => {
  test('with more due on it than the capacity makes no tick of the others late', async (t) => {
    const world = await makeActorWorld(t);
    for (let at = 0; at < 30; at += 1) {
      await world.add(`held ${at}`, '@yearly');
      await putOn(world, heldStripe, `held ${at}`);
    }
    await world.rows(
      `UPDATE slot SET cursor_at = NOW(3) - INTERVAL 1 MINUTE, next_run_at = cursor_at`,
    );
    const letGo = await holdStripes(world, [heldStripe]);
    await world.add('free', '* * * * * *');
    await putOn(world, freeStripe, 'free');
    const node = world.node('a', { capacity: 10, ttlMs });
    const stalledMs = watchStalls(world);
    await until('it runs', async () => (await lateness(world, 'free')).length >= 6, patienceMs);
    const latest = Math.max(...(await lateness(world, 'free')));
    const bound = lateMsMax + Math.round(stalledMs());
    t.diagnostic(`the latest of the others was ${latest} ms late`);
    assert.ok(latest < bound, `${latest} ms late, not ${bound}`);
    await letGo();
    const began = performance.now();
    const isHeldRun = async () => (await world.runs()).some((run) => run.job_id <= 30);
    await until('what was held runs', isHeldRun, patienceMs);
    t.diagnostic(`the first of the held ran after ${Math.round(performance.now() - began)} ms`);
    const haveAllRun = async () => {
      const [row] = await world.rows('SELECT COUNT(*) AS runs FROM run WHERE job_id <= 30');
      return Number(row?.runs) >= 30;
    };
    await until('all that was held has run', haveAllRun, patienceMs);
    assert.equal(node.ending(), null);
    assert.deepEqual(world.ledger.faults, []);
  });

  test('with more prepared on it than may run makes none of the others late', async (t) => {
    const world = await makeActorWorld(t);
    const node = world.node('a', { concurrency: 2, ttlMs });
    await world.runShortOnes();
    let tickMs = 0;
    for (let at = 0; at < 20; at += 1) {
      tickMs = await world.addOnce(`held ${at}`, 20);
      await putOn(world, heldStripe, `held ${at}`);
    }
    await until('all are claimed', () => node.adopted.length >= 12 + 20, patienceMs);
    const letGo = await holdStripes(world, [heldStripe]);
    await world.add('free', '* * * * * *');
    await putOn(world, freeStripe, 'free');
    const ranBefore = world.ledger.entries.length;
    const stalledMs = watchStalls(world);
    const isBeside = async () => (await lateness(world, 'free', tickMs)).length >= 8;
    await until('it runs beside them', isBeside, patienceMs);
    const latest = Math.max(...(await lateness(world, 'free')));
    const bound = lateMsMax + Math.round(stalledMs());
    t.diagnostic(`the latest of the others was ${latest} ms late`);
    assert.ok(latest < bound, `${latest} ms late, not ${bound}`);
    assert.equal(ranBefore, 12);
    assert.equal((await world.runs('held 0')).length, 0);
    await letGo();
    const began = performance.now();
    const haveRun = async () => {
      const rows = await world.rows(
        "SELECT 1 FROM run JOIN job USING (job_id) WHERE name LIKE 'held%'",
      );
      return rows.length >= 20 && [performance.now() - began];
    };
    const [ran] = await until('what was held runs', haveRun, patienceMs);
    t.diagnostic(`all that was held ran within ${Math.round(ran ?? 0)} ms`);
    await world.requireSound();
  });
});
