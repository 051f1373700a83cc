import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import { scanProcesses } from '../../src/exec/process/processTree.ts';
import { startCutProxy } from '../support/cutProxy.ts';
import { msUntil, until } from '../support/until.ts';
import { isAlive, processesOf, resume, spoolRootOf } from './nodeProcess.ts';
import { makeNodeWorld } from './nodeWorld.ts';

/** Three seconds between the end of a lease and its TTL, for a machine that stands still. */
const ttl = ['--session-ttl', '15s'];

describe('a node that may not go on', { concurrency: 2 }, () => {
  test('a frozen node is killed with its children after its lease, and taken over', async (t) => {
    const world = await makeNodeWorld(t);
    await world.add('long', '* * * * * *', { command: 'sleep 600' });
    await world.add('short', '* * * * * *');
    const victim = world.start('victim', [...ttl, '--on-fenced', 'exit']);
    const session = await victim.session();
    await until('the long one lives', () => processesOf(session.sessionId).length >= 2);
    await until('the short one ran', async () => (await world.runs('short')).length >= 2);
    const heir = world.start('heir', ttl);
    const { sessionId: heirId } = await heir.session();
    process.kill(session.pid, 'SIGSTOP');
    t.after(() => resume(session.pid));
    const gone = () => processesOf(session.sessionId).length === 0 && !isAlive(session.pid);
    const ended = "session WHERE session_id = ? AND state = 'ended'";
    const hasEnded = async () => (await world.count(ended, [session.sessionId])) === 1;
    const endedMs = await msUntil('the end of its session', hasEnded, 60_000);
    t.diagnostic(`SIGSTOP: ended after ${endedMs} ms, by a TTL of 15,000 ms`);
    assert.ok(gone(), 'nothing of it lived any more when it was taken over');
    assert.deepEqual(await victim.exited(), [75, null]);
    const reset = await until('its slots are free', async () => {
      const held = await world.count('slot WHERE session_id = ?', [session.sessionId]);
      return held === 0 && (await world.rows('SELECT NOW(3) AS at'))[0];
    });
    await until('the heir runs both', async () => {
      const running = await world.count("slot WHERE state = 'executing' AND session_id = ?", [
        heirId,
      ]);
      const ended = await world.count('run WHERE session_id = ?', [heirId]);
      return running >= 1 && ended >= 2;
    });
    const after = await world.count('run WHERE session_id = ? AND started_at > ?', [
      session.sessionId,
      reset.at,
    ]);
    assert.equal(after, 0);
    const lost = (await world.runs('long')).filter(({ result }) => result === 'lost');
    assert.deepEqual(
      lost.map((run) => run.session_id),
      [session.sessionId],
    );
    assert.match(lost[0]?.reason, /ran: no renewal of its lease was seen for \d+\.\d s/);
    assert.match(victim.log(), /its node stood still: it neither renewed its lease nor reported/);
    await world.requireEveryTick();
  });

  test('a second live node of a name is refused with 75', async (t) => {
    const world = await makeNodeWorld(t);
    const first = world.start('same');
    const session = await first.session();
    const second = world.start('same');
    assert.deepEqual(await second.exited(), [75, null]);
    assert.match(second.log(), /A live node has the name same already/);
    assert.match(second.log(), /hint: Give this node another --name/);
    assert.deepEqual(await first.session(), session, 'the first one is not touched');
  });

  test('a node of a name that died on another host waits for the TTL', async (t) => {
    const world = await makeNodeWorld(t);
    await world.add('job', '* * * * * *');
    const first = world.start('same', ttl);
    const session = await first.session();
    await until('it runs', async () => (await world.runs()).length > 0);
    first.guardian.kill('SIGKILL');
    if (isAlive(session.pid)) process.kill(session.pid, 'SIGKILL');
    // Where nothing was written down of it, as on another host.
    const elsewhere = { STATECRON_SPOOL: path.join(spoolRootOf(world), 'elsewhere') };
    const next = world.start('same', ttl, world.url, elsewhere);
    const nextSession = await next.session(session);
    const [ended] = await world.rows('SELECT * FROM session WHERE session_id = ?', [
      session.sessionId,
    ]);
    assert.ok(ended?.ended_at.getTime() - ended?.renewed_at.getTime() >= 15_000);
    assert.match(next.log(), /a session of the name same is still live/);
    const own = () => world.count('run WHERE session_id = ?', [nextSession.sessionId]);
    await until('it runs again', async () => (await own()) > 0);
    await world.requireEveryTick();
  });

  test('a node that died starts again in a new session; the old one is ended', async (t) => {
    const world = await makeNodeWorld(t);
    await world.add('job', '* * * * * *');
    const node = world.start('one', ['--session-ttl', '120s']);
    let session = await node.session();
    const own = () => world.count('run WHERE session_id = ?', [session.sessionId]);
    for (const time of ['first', 'second']) {
      await until(`it runs before the ${time} death`, async () => (await own()) > 0);
      process.kill(session.pid, 'SIGKILL');
      const next = await node.session(session);
      const [old] = await world.rows('SELECT * FROM session WHERE session_id = ?', [
        session.sessionId,
      ]);
      assert.equal(old?.state, 'ended');
      assert.equal(old?.ended_why, 'the process of its node was ended by SIGKILL');
      assert.ok(old?.ended_at.getTime() - old?.renewed_at.getTime() < 120_000, 'not by its TTL');
      session = next;
    }
    assert.equal(await world.count('session'), 3);
    await until('it runs', async () => (await own()) > 0);
    await world.requireEveryTick();
  });

  test('a node that waits for a database ends when its guardian is gone', async (t) => {
    const world = await makeNodeWorld(t);
    const proxy = await startCutProxy(t, world.url);
    const node = world.start('one', [], proxy.url);
    const session = await node.session();
    const { pid: guardianPid = 0 } = node.guardian;
    proxy.vanish();
    process.kill(session.pid, 'SIGKILL');
    const next = await until('the next process', () =>
      scanProcesses()
        .childrenOf.get(guardianPid)
        ?.find(({ pid }) => pid !== session.pid),
    );
    const waits = () => node.log().includes('the database is away');
    await until('it waits', waits, 120_000);
    node.guardian.kill('SIGKILL');
    await until('it has ended', () => !isAlive(next.pid));
  });
});
