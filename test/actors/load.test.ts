import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type JobDefinition, jobDefaults } from '../../src/domain/job/jobDefinition.ts';
import { onceAt } from '../support/addOnce.ts';
import { until } from '../support/until.ts';
import { watchStalls } from '../support/watchStalls.ts';
import { type ActorWorld, lateRuns, makeActorWorld } from './actorWorld.ts';

describe('much that is due', { concurrency: true }, () => {
  test('1,000 slots due at once with concurrency 8 run once each, never more than 8', async (t) => {
    const world = await makeActorWorld(t);
    await addMany(world, 1_000, 3);
    const { ledger } = world;
    ledger.lastsMs = () => (ledger.entries.length <= 8 ? null : 2);
    const node = world.node('a', { concurrency: 8, capacity: 400 });
    await until('eight run', () => ledger.running().length === 8);
    for (const entry of ledger.running()) entry.end();
    await until('all runs', async () => (await world.runs()).length >= 1_000, 60_000);
    await until('nothing is held', () => node.running.roster.size === 0);
    assert.equal(ledger.entries.length, 1_000);
    assert.equal(ledger.peaks.get('a'), 8);
    assert.equal(node.running.roster.running, 0);
    const [early] = await world.rows(
      'SELECT COUNT(*) AS runs FROM run WHERE started_at < scheduled_for',
    );
    assert.equal(early?.runs, 0);
    await world.requireSound();
  });

  test('what is due while a node is full of long runs is taken by another', async (t) => {
    const world = await makeActorWorld(t);
    world.ledger.lastsMs = ({ definition }) => (definition.name.startsWith('long') ? null : 0);
    for (const number of [1, 2, 3, 4]) await world.addOnce(`long${number}`, 2);
    world.node('full', { concurrency: 4 });
    await until('the node is full', () => world.ledger.running('full').length === 4);
    const free = world.node('free');
    await until('the other one works', () => free.looks() > 0);
    const stalledMs = watchStalls(world);
    for (const number of [1, 2, 3, 4, 5, 6]) await world.addOnce(`short${number}`, 4);
    await until(
      'the short ones ran',
      async () => (await world.runs()).filter(({ result }) => result === 'succeeded').length === 6,
    );
    const short = world.ledger.entries.filter(({ node }) => node === 'free');
    assert.equal(short.length, 6);
    assert.deepEqual(await lateRuns(world, stalledMs), []);
    for (const entry of world.ledger.running('full')) entry.end();
    await until('the long ones ended', async () => (await world.runs()).length === 10);
    await world.requireSound();
  });

  test('what waits too long for a permit is given back, when there are other nodes', async (t) => {
    const world = await makeActorWorld(t);
    const full = world.node('full', { concurrency: 4 });
    await world.runShortOnes();
    // Another node that lives and does nothing: what is given back, nobody has taken away.
    await world.join('idle');
    world.ledger.lastsMs = () => null;
    for (let number = 1; number <= 12; number += 1) await world.addOnce(`long${number}`, 5);
    const target = { nodes: ['full'] };
    for (const name of ['own1', 'own2', 'own3']) await world.addOnce(name, 6, { target });
    await until('it holds more than it can start', () => full.running.roster.size > 4);
    await until('it has given that back', async () => {
      const [row] = await world.rows(`SELECT SUM(state = 'idle' AND next_run_at < NOW(3)) AS late,
        SUM(state = 'executing') AS executing FROM slot`);
      const isOfDatabase = Number(row?.late) === 8 && Number(row?.executing) === 4;
      return isOfDatabase && full.running.roster.size === 7;
    });
    const { roster } = full.running;
    await until('what is for it alone stays', () => roster.queueingFor(6_000).length === 3);
    world.ledger.lastsMs = () => 0;
    for (const entry of world.ledger.running()) entry.end();
    await until('all ran', async () => (await world.runs()).length >= 27);
    await world.requireSound();
  });

  test('launches made up for that queue on a busy node are not overdue at once', async (t) => {
    const world = await makeActorWorld(t);
    const busy = world.node('busy', { concurrency: 1 });
    await world.runShortOnes();
    world.ledger.lastsMs = () => null;
    // The ticks are a minute in the past, as after a time without any node.
    for (const number of [1, 2, 3, 4]) await world.addOnce(`job${number}`, -60);
    await world.rows(`UPDATE job_revision JOIN job USING (job_id)
      SET in_force_from = NOW(3) - INTERVAL 1 HOUR WHERE name LIKE 'job%'`);
    await world.rows(`UPDATE slot JOIN job USING (job_id)
      SET cursor_at = cursor_at - INTERVAL 1 YEAR, next_run_at = next_run_at - INTERVAL 1 YEAR
      WHERE name LIKE 'job%'`);
    await until('it is busy', () => busy.running.roster.size === 4);
    // What another node goes by: it takes what ought to have started ten seconds ago.
    const [queued] = await world.rows(`SELECT COUNT(*) >= 3 AS are_three,
        MIN(next_run_at >= scheduled_for + INTERVAL 59 SECOND) AS are_of_claim
      FROM slot WHERE state = 'prepare'`);
    assert.deepEqual(queued, { are_three: 1, are_of_claim: 1 });
    world.ledger.lastsMs = () => 0;
    for (const entry of world.ledger.running()) entry.end();
    await until('all ran', async () => (await world.runs()).length >= 16);
    await world.requireSound();
  });
});

/** Jobs with one tick in the year, all at the same instant. */
async function addMany(world: ActorWorld, count: number, inSeconds: number): Promise<void> {
  const [row] = await world.rows('SELECT NOW(3) + INTERVAL ? SECOND AS at', [inSeconds]);
  const near = row?.at as Date;
  const schedule = onceAt(near);
  const at = new Date(Math.floor(near.getTime() / 1000) * 1000);
  const ids = Array.from({ length: count }, (_, index) => index + 1);
  const definition = (id: number): JobDefinition => {
    return { ...jobDefaults, name: `job${id}`, schedule, command: 'true' };
  };
  await world.rows(
    `INSERT INTO job (job_id, name, revision, created_at)
     VALUES ${ids.map(() => '(?, ?, 1, NOW(3))').join()}`,
    ids.flatMap((id) => [id, `job${id}`]),
  );
  await world.rows(
    `INSERT INTO job_revision (job_id, revision, definition, in_force_from)
     VALUES ${ids.map(() => '(?, 1, ?, NOW(3) - INTERVAL 1 DAY)').join()}`,
    ids.flatMap((id) => [id, JSON.stringify(definition(id))]),
  );
  await world.rows(
    `INSERT INTO slot (job_id, stripe, cursor_at, next_run_at)
     VALUES ${ids.map(() => '(?, ?, ?, ?)').join()}`,
    ids.flatMap((id) => [id, id % 64, at, at]),
  );
}
