import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { msUntil, until } from '../support/until.ts';
import {
  isAlive,
  type LiveSession,
  type NodeProcess,
  processesOf,
  shortLived,
} from './nodeProcess.ts';
import { makeNodeWorld, type NodeWorld } from './nodeWorld.ts';

const childrenCount = 50;
/** They would sleep for ten minutes. What it took is told: 0.1 to 0.3 s where little else runs. */
const goneMsMax = 20_000;

/** 50 children on one node, a fifth of them with a grandchild in a session of its own. */
async function startFull(
  t: TestContext,
  args: readonly string[],
): Promise<{ world: NodeWorld; victim: NodeProcess; session: LiveSession }> {
  const world = await makeNodeWorld(t);
  const victim = world.start('victim', ['--concurrency', '100', ...args]);
  const session = await victim.session();
  for (let number = 1; number <= childrenCount; number += 1) {
    const command = number % 5 === 0 ? 'setsid sleep 600 & sleep 600' : 'sleep 600; true';
    await world.addOnce(`job${number}`, 3, { command });
  }
  const areAllLive = async () =>
    (await world.count("slot WHERE state = 'executing'")) === childrenCount &&
    processesOf(session.sessionId).length >= 110;
  await until('all children live', areAllLive, 120_000);
  return { world, victim, session };
}

test('kill -9 of a node leaves none of its 50 children, and its slots are free', async (t) => {
  // However long the next process takes to tell of the death, no TTL is over before.
  const patient = ['--session-ttl', '120s'];
  const { world, victim, session } = await startFull(t, patient);
  const heir = world.start('heir', patient);
  await heir.session();
  process.kill(session.pid, 'SIGKILL');
  const began = performance.now();
  const goneMs = await msUntil(
    'no child lives',
    () => processesOf(session.sessionId).length === 0,
    goneMsMax,
  );
  const held = () => world.count('slot WHERE session_id = ?', [session.sessionId]);
  await until('its slots are free', async () => (await held()) === 0, 60_000);
  const freeMs = Math.round(performance.now() - began);
  t.diagnostic(
    `kill -9 of the node: children gone after ${goneMs} ms, slots free after ${freeMs} ms`,
  );
  const next = await victim.session(session);
  assert.notEqual(next.pid, session.pid);
  assert.equal(isAlive(session.pid), false);
  const [ended] = await world.rows('SELECT * FROM session WHERE session_id = ?', [
    session.sessionId,
  ]);
  const why = 'the process of its node was ended by SIGKILL';
  assert.equal(ended?.ended_why, why);
  for (const line of victim
    .log()
    .split('\n')
    .filter((each) => each !== '')) {
    assert.match(line, /^\{"level":\d0,"time":"\d{4}-\d\d-\d\dT[\d:.]+Z","msg":/);
  }
  const lost = (await world.runs()).find(({ result }) => result === 'lost');
  assert.equal(lost?.reason, `its node was lost while it ran: ${why}`);
  assert.match(victim.log(), /was lost, with \d+ runs under way: the process of its node was/);
  const results = await resultsOf(world);
  assert.deepEqual(results, Array(childrenCount).fill('lost'));
  await world.requireEveryTick();
});

test('kill -9 of a guardian ends node and children; slots are free after the TTL', async (t) => {
  const { world, victim, session } = await startFull(t, shortLived);
  const heir = world.start('heir');
  await heir.session();
  victim.guardian.kill('SIGKILL');
  const began = performance.now();
  const gone = () => processesOf(session.sessionId).length === 0 && !isAlive(session.pid);
  const goneMs = await msUntil('neither node nor children live', gone, goneMsMax);
  const held = () => world.count('slot WHERE session_id = ?', [session.sessionId]);
  await until('its slots are free', async () => (await held()) === 0, 60_000);
  const freeMs = Math.round(performance.now() - began);
  t.diagnostic(
    `kill -9 of the guardian: all gone after ${goneMs} ms, slots free after ${freeMs} ms`,
  );
  const results = await resultsOf(world);
  assert.deepEqual(results, Array(childrenCount).fill('lost'));
  await world.requireEveryTick();
});

/** Without starts that nobody acknowledged in time: nothing was spawned, and the tick is next. */
async function resultsOf(world: NodeWorld): Promise<string[]> {
  const results = (await world.runs()).map(({ result }) => result as string);
  return results.filter((result) => result !== 'not_started');
}
