import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { processesOf, resume } from '../../node/nodeProcess.ts';
import { makeNodeWorld, type NodeWorld } from '../../node/nodeWorld.ts';
import { until } from '../../support/until.ts';
import { startFaultProxy } from '../proxy/faultProxy.ts';
import { auditTriggers } from '../record/auditTriggers.ts';
import { bootNowMs } from '../world/bootNow.ts';
import { isMet } from './lostOrLate.ts';
import { livedAfterMs, makeTickingJobs, type TickingJobs } from './tickingJobs.ts';

const childrenCount = 20;
/** Many of them are waited for; what a machine may stand still for while children start. */
const ttlMs = 8_000;
const leaseMs = 0.8 * ttlMs;
const ttl = ['--session-ttl', `${ttlMs}ms`];

describe('a node that stands still', { concurrency: true }, () => {
  test('for 3 TTL with 20 children is dead before it is reaped, and writes no more', async (t) => {
    const { world, jobs, victim, session, heir } = await startTicking(t);
    const frozenMs = bootNowMs();
    freeze(t, [session.pid]);
    const reaped = await reapedAt(world, session.sessionId);
    await until('3 TTL', () => bootNowMs() > frozenMs + 3 * ttlMs);
    resume(session.pid);
    assert.deepEqual(await victim.exited(), [75, null]);

    const lastMs = Math.max(...jobs.ticks().map(({ atMs }) => atMs));
    t.diagnostic(
      `last tick ${Math.round(lastMs - frozenMs)} ms after the freeze, lease ${leaseMs}`,
    );
    assert.ok(lastMs < reaped.bootMs, 'kill comes before reap');
    assert.ok(livedAfterMs(jobs.ticks(), frozenMs) < leaseMs + 700, 'and soon after the lease');
    assert.deepEqual(processesOf(session.sessionId), []);
    await requireNoWord(world, session.sessionId);
    assert.deepEqual(await heir.session(), heir.live, 'the heir is not touched');
    const results = (await world.runs()).map(({ result }) => result);
    assert.deepEqual(results, Array(childrenCount).fill('lost'));
    await world.requireEveryTick();
  });

  test('with its guardian and children, like a paused machine, changes nothing then', async (t) => {
    const { world, jobs, victim, session } = await startTicking(t);
    const all = [...processesOf(session.sessionId).map(({ pid }) => pid), session.pid];
    const everything = [...all, victim.guardian.pid as number];
    freeze(t, everything);
    await reapedAt(world, session.sessionId);
    const frozenMs = bootNowMs();
    const before = await audited(world);
    await until('2 TTL more', () => bootNowMs() > frozenMs + 2 * ttlMs);
    for (const pid of everything) resume(pid);
    const resumedMs = bootNowMs();
    assert.deepEqual(await victim.exited(), [75, null]);
    assert.deepEqual(processesOf(session.sessionId), []);
    const lastMs = Math.max(...jobs.ticks().map(({ atMs }) => atMs));
    t.diagnostic(`the last child lived for ${Math.round(lastMs - resumedMs)} ms of the new time`);
    assert.ok(livedAfterMs(jobs.ticks(), resumedMs) < 2_000);
    assert.deepEqual(await audited(world), before, 'what it wrote met nothing');
    await requireNoWord(world, session.sessionId);
  });

  test('between the COMMIT of a start and its spawn dies, and nothing was spawned', async (t) => {
    const world = await makeNodeWorld(t);
    const proxy = await startFaultProxy(world.scope, world.url);
    const jobs = makeTickingJobs(world.scope);
    const node = world.start('one', [], proxy.url);
    const session = await node.session();
    let held = proxy.arm({ kind: 'reply delayed', statement: '/* commitBatch commit */' });
    await world.addOnce('job', 3, { command: jobs.tickOnce });
    await until('the reply to the COMMIT of its start is held', async () => {
      await isMet(held);
      if ((await world.count("slot WHERE state = 'executing'")) === 1) return true;
      const earlier = held;
      held = proxy.arm({ kind: 'reply delayed', statement: '/* commitBatch commit */' });
      earlier.release();
      return false;
    });
    process.kill(session.pid, 'SIGKILL');
    const next = await node.session(session);
    held.release();
    const [run] = await until('its row', async () => {
      const runs = await world.runs();
      return runs.length > 0 && runs;
    });
    assert.deepEqual([run?.result, run?.session_id], ['lost', session.sessionId]);
    assert.notEqual(next.sessionId, session.sessionId);
    assert.deepEqual(jobs.ticks(), []);
    await world.requireEveryTick();
  });

  test('whose launcher stands still between a start and its spawn spawns nothing', async (t) => {
    const world = await makeNodeWorld(t);
    const jobs = makeTickingJobs(world.scope);
    const node = world.start('one');
    const session = await node.session();
    await world.addOnce('warm', 2);
    await until('it has run', async () => (await world.runs('warm')).length > 0);
    freeze(
      t,
      processesOf(session.sessionId).map(({ pid }) => pid),
    );
    await world.addOnce('job', 3, { command: jobs.tickOnce });
    await until(
      'the start is committed',
      async () => (await world.count("slot WHERE state = 'executing'")) === 1,
    );
    process.kill(session.pid, 'SIGKILL');
    await node.session(session);
    await until('its row', async () => (await world.runs('job')).length > 0);
    assert.deepEqual(
      (await world.runs('job')).map(({ result }) => result),
      ['lost'],
    );
    assert.deepEqual(processesOf(session.sessionId), []);
    assert.deepEqual(jobs.ticks(), []);
    await world.requireEveryTick();
  });
});

/** A node with 20 children, a quarter of them with a grandchild in a session of its own. */
async function startTicking(t: TestContext) {
  const world = await makeNodeWorld(t);
  for (const statement of auditTriggers) await world.rows(statement);
  const jobs: TickingJobs = makeTickingJobs(world.scope);
  const victim = world.start('victim', [...ttl, '--concurrency', '100', '--on-fenced', 'exit']);
  const session = await victim.session();
  for (let number = 1; number <= childrenCount; number += 1) {
    const command = number % 4 === 0 ? jobs.tickTwiceForEver : jobs.tickForEver;
    await world.addOnce(`job${number}`, 3, { command });
  }
  await until('all tick', () => {
    const processes = new Set(jobs.ticks().map(({ processId }) => processId));
    return processes.size === childrenCount * 1.25;
  });
  const heir = world.start('heir', ttl);
  return { world, jobs, victim, session, heir: { ...heir, live: await heir.session() } };
}

function freeze(t: TestContext, pids: readonly number[]): void {
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  t.after(() => {
    for (const pid of pids) resume(pid);
  });
}

/** Waits until nothing is held by the session; by the boot clock, the instant before that look. */
async function reapedAt(world: NodeWorld, sessionId: string): Promise<{ bootMs: number }> {
  return until('its slots are free', async () => {
    const bootMs = bootNowMs();
    return (await world.count('slot WHERE session_id = ?', [sessionId])) === 0 && { bootMs };
  });
}

/** Everything that became of slots and sessions so far. */
function audited(world: NodeWorld) {
  return world.rows('SELECT * FROM audit_row ORDER BY audit_order');
}

/** No connection that ever claimed for the session has written after its end. */
async function requireNoWord(world: NodeWorld, sessionId: string): Promise<void> {
  const [ended] = await world.rows(
    "SELECT audit_order FROM audit_row WHERE session_id = ? AND new_state = 'ended'",
    [sessionId],
  );
  const late = await world.rows(
    `SELECT * FROM audit_row WHERE audit_order > ? AND connection_no IN
      (SELECT connection_no FROM audit_row WHERE new_session = ? AND new_state = 'prepare')`,
    [ended?.audit_order, sessionId],
  );
  assert.deepEqual(late, []);
  const claims = await world.count('audit_row WHERE new_session = ?', [sessionId]);
  assert.ok(claims >= childrenCount);
}
