import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { OperatorError } from '../../src/domain/errors/errors.ts';
import { allStripes } from '../../src/domain/run/stripes.ts';
import { FencedError } from '../../src/exec/lease/fencedError.ts';
import { scanProcesses } from '../../src/exec/process/processTree.ts';
import { startCutProxy } from '../support/cutProxy.ts';
import { until } from '../support/until.ts';
import { watchStalls } from '../support/watchStalls.ts';
import { makeActorWorld } from './actorWorld.ts';

/** Of starting and joining, on a machine that is busy with other things. */
const patienceMs = 120_000;

describe('a node that loses its session', { concurrency: true }, () => {
  test('a session ended from outside fences the node and kills its children', async (t) => {
    const world = await makeActorWorld(t);
    await world.addOnce('job', 2, { command: 'setsid sleep 600 & sleep 600' });
    const node = world.node('a', { realPool: true });
    const { sessionId, store } = node.running;
    const alive = () => processesOf(sessionId);
    await until('bash and two sleeps', () => alive().length >= 3);
    await store.endSession(sessionId, 'test', null);
    assert.equal((await node.ended()).ending, 'fenced');
    assert.deepEqual(alive(), []);
    assert.equal((await world.slot('job')).state, 'executing', 'only a reaper says what it was');
    world.node('heir');
    await until('the reap', async () => (await world.runs()).length === 1);
    assert.equal((await world.runs())[0]?.result, 'lost');
    await world.requireSound();
  });

  test('a node that prepared something when its session was ended starts nothing', async (t) => {
    const world = await makeActorWorld(t);
    const node = world.node('a', { ttlMs: 60_000 });
    await until('it serves', () => node.looks() > 0, patienceMs);
    await world.addOnce('job', 25);
    await node.firstAdopted;
    await node.running.store.endSession(node.running.sessionId, 'test', null);
    assert.equal((await node.ended()).ending, 'fenced', 'the committer finds out first');
    assert.equal(world.ledger.entries.length, 0);
    assert.ok(node.killed());
    const heir = world.node('heir');
    await until('the run', async () => (await world.runs()).length === 1);
    assert.deepEqual(
      world.ledger.entries.map((entry) => entry.node),
      [heir.name],
    );
    await world.requireSound();
  });

  test('what was not started since the lease was over a moment ago is run', async (t) => {
    const world = await makeActorWorld(t);
    let refused = 0;
    world.ledger.refuses = ({ launchId }) => (++refused === 1 ? new FencedError(launchId) : null);
    await world.addOnce('job', 2);
    const node = world.node('a');
    const runs = () => world.runs('job');
    await until('both attempts', async () => node.ending() !== null || (await runs()).length === 2);
    assert.equal(node.ending(), null, 'its lease is good, so it goes on');
    assert.deepEqual(
      (await runs()).map(({ result }) => result),
      ['not_started', 'succeeded'],
    );
    await world.requireSound();
  });

  test('a node whose heartbeats are cut beyond its lease starts nothing more', async (t) => {
    const world = await makeActorWorld(t);
    const ttlMs = 30_000;
    await world.add('job', '* * * * * *');
    const proxy = await startCutProxy(world.scope, world.url);
    const node = world.node('a', { url: proxy.url, ttlMs, realPool: true });
    await until('two runs', async () => (await world.runs()).length >= 2, patienceMs);
    const stalledMs = watchStalls(world);
    const stopCutting = cutAgainAndAgain(proxy.cutAt, '/* renewSession */');
    assert.equal((await node.ended()).ending, 'fenced');
    stopCutting();
    const [row] = await world.rows(
      `SELECT renewed_at, (SELECT MAX(started_at) FROM run WHERE session_id = session.session_id)
         AS started_at FROM session WHERE session_id = ?`,
      [node.running.sessionId],
    );
    // The lease counts from when the last renewal was sent, which is before it was written.
    const leaseMs = row?.started_at.getTime() - row?.renewed_at.getTime();
    // What was asked for in time is written a little later.
    const leaseMsMax = 0.8 * ttlMs + 1_000 + stalledMs();
    assert.ok(leaseMs <= leaseMsMax, `${leaseMs} ms after the last renewal`);
    assert.deepEqual(processesOf(node.running.sessionId), []);
    world.node('heir', { ttlMs });
    await until('the heir runs it', () => world.ledger.entries.length >= 2, patienceMs);
    await world.requireSound();
  });

  test('a node whose lock row is missing schedules nothing and says what to do', async (t) => {
    const world = await makeActorWorld(t);
    await world.addOnce('job', 2);
    await world.rows('DELETE FROM lock_row WHERE lock_id < 64');
    const node = world.node('a');
    await until('it says so', () =>
      node.troubles.find((trouble) => /lock row is missing.*doctor --fix/.test(trouble)),
    );
    const tickMs = (await world.slot('job')).cursor_at.getTime();
    await until('the tick is over', async () => {
      const [clock] = await world.rows('SELECT NOW(3) AS at');
      return clock?.at.getTime() > tickMs + 1_500;
    });
    assert.deepEqual(world.ledger.entries, []);
    assert.equal((await world.slot('job')).state, 'idle');
    assert.equal(node.ending(), null, 'its session lives, and what it runs');
    const rows = allStripes.map((stripe) => `(${stripe})`).join();
    await world.rows(`INSERT INTO lock_row (lock_id) VALUES ${rows}`);
    await until('it runs when they are back', async () => (await world.runs()).length === 1);
    assert.equal((await world.runs())[0]?.result, 'succeeded');
    await world.requireSound();
  });

  test('a node whose session is not in a restored database is fenced', async (t) => {
    const world = await makeActorWorld(t);
    const node = world.node('a');
    await until('it serves', () => node.looks() > 0, patienceMs);
    await world.rows('DELETE FROM session');
    assert.equal((await node.ended()).ending, 'fenced');
    const next = world.node('a');
    const isBack = async () => (await world.rows('SELECT * FROM session')).length === 1;
    await until('another life', isBack, patienceMs);
    assert.notEqual(next.running.sessionId, node.running.sessionId);
  });

  test('a node whose session lock is missing does not join', async (t) => {
    const world = await makeActorWorld(t);
    await world.rows('DELETE FROM lock_row WHERE lock_id = 64');
    const { error } = await world.node('a').ended();
    assert.equal((error as OperatorError).code, 'lock_row_missing');
    assert.deepEqual(await world.rows('SELECT * FROM session'), []);
  });
});

/** Everything alive that carries the mark of a session's launches; the launchers are not theirs. */
function processesOf(sessionId: string): string[] {
  const scan = scanProcesses();
  return scan.entries
    .map(({ pid }) => scan.markOf(pid))
    .filter((mark): mark is string => mark?.startsWith(`${sessionId}:`) === true)
    .filter((mark) => !mark.endsWith(':launcher'));
}

function cutAgainAndAgain(
  cutAt: (text: string, cut: 'request lost') => Promise<void>,
  text: string,
): () => void {
  let isOn = true;
  void (async () => {
    while (isOn) await cutAt(text, 'request lost');
  })();
  return () => {
    isOn = false;
  };
}
