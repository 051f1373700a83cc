import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '../support/until.ts';
import { type ActorWorld, makeActorWorld } from './actorWorld.ts';
import { holdStripes } from './holdStripes.ts';

const heldStripe = 7;
const freeStripe = 8;
/** Who waits once for a lock that is held waits a second: the bound of every lock wait here. */
const lateMsMax = 1_000;
const patienceMs = 120_000;

async function putOn(world: ActorWorld, stripe: number, jobName: string): Promise<void> {
  const affected = 'UPDATE slot JOIN job USING (job_id) SET stripe = ? WHERE job.name = ?';
  await world.rows(affected, [stripe, jobName]);
}

/** How late the runs of a job that runs each second began, milliseconds; the first two left out. */
async function lateness(world: ActorWorld, jobName: string): Promise<number[]> {
  const runs = await world.runs(jobName);
  const started = runs.filter(({ result }) => result === 'succeeded').slice(2);
  return started.map((run) => run.started_at.getTime() - run.scheduled_for.getTime());
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
    const node = world.node('a', { capacity: 10 });
    await until('it runs', async () => (await lateness(world, 'free')).length >= 6, patienceMs);
    const latest = Math.max(...(await lateness(world, 'free')));
    t.diagnostic(`the latest of the others was ${latest} ms late`);
    assert.ok(latest < lateMsMax, `${latest} ms late`);
    assert.equal((await world.runs('free')).filter(({ result }) => result === 'missed').length, 0);
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
    for (let at = 0; at < 20; at += 1) {
      await world.addOnce(`held ${at}`, 4);
      await putOn(world, heldStripe, `held ${at}`);
    }
    const node = world.node('a', { concurrency: 2 });
    await until('all are claimed', () => node.adopted.length >= 20, patienceMs);
    const letGo = await holdStripes(world, [heldStripe]);
    await world.add('free', '* * * * * *');
    await putOn(world, freeStripe, 'free');
    const ranBefore = world.ledger.entries.length;
    const isBeside = async () => (await lateness(world, 'free')).length >= 8;
    await until('it runs beside them', isBeside, patienceMs);
    const latest = Math.max(...(await lateness(world, 'free')));
    t.diagnostic(`the latest of the others was ${latest} ms late`);
    assert.ok(latest < lateMsMax, `${latest} ms late`);
    assert.equal(ranBefore, 0);
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
