import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../support/until.ts';
import { isAlive, launcherOf, resume } from './nodeProcess.ts';
import { makeNodeWorld } from './nodeWorld.ts';

/** Three seconds between the end of a lease and its TTL, for a machine that stands still. */
const ttlMs = 15_000;

// Most of the time is that of the freeze.
describe('what stands still beside its node', { concurrency: 2 }, () => {
  test('a launcher that was frozen costs no launch, one that is killed a session', async (t) => {
    const world = await makeNodeWorld(t);
    await world.add('long', '* * * * * *', { command: 'sleep 600' });
    await world.add('short', '* * * * * *');
    const node = world.start('one', ['--session-ttl', `${ttlMs / 1000}s`]);
    const session = await node.session();
    const longLaunch = async () => {
      const [slot] = await world.rows("SELECT launch_id FROM slot WHERE state = 'executing'");
      return slot?.launch_id;
    };
    // Without starts that nobody acknowledged in time: nothing was spawned, and the tick is next.
    const shorts = async () =>
      (await world.runs('short')).filter(
        ({ launch_id: id, result }) => id !== null && result !== 'not_started',
      );
    await until('both have run', async () => (await longLaunch()) && (await shorts()).length > 0);
    const launchId = await longLaunch();
    const launcher = launcherOf(session);
    t.after(() => resume(launcher));
    process.kill(launcher, 'SIGSTOP');
    await until(
      'one waits for it',
      async () => (await world.count("slot WHERE state = 'executing'")) === 2,
    );
    const began = performance.now();
    // The lease that it knew, 0.8 of the TTL, is over by then; the node has renewed it.
    await until('it was frozen for long', () => performance.now() - began > 0.85 * ttlMs);
    const before = (await shorts()).length;
    process.kill(launcher, 'SIGCONT');
    const hasEnded = () => node.log().includes('hint:');
    await until('what waited has run', async () => {
      return hasEnded() || (await shorts()).length > before + 1;
    });
    assert.doesNotMatch(node.log(), /hint:|fenced/);
    assert.deepEqual(new Set((await shorts()).map(({ result }) => result)), new Set(['succeeded']));
    assert.equal(await longLaunch(), launchId, 'what ran meanwhile goes on');

    process.kill(launcher, 'SIGKILL');
    await node.session(session);
    assert.match(node.log(), /The launcher ended \(SIGKILL\)/);
    assert.match(node.log(), /hint: .*out of memory/);
    assert.doesNotMatch(node.log(), /should not have happened/);
    await world.requireEveryTick();
  });

  test('a guardian that was frozen kills no node that has renewed its lease since', async (t) => {
    const world = await makeNodeWorld(t);
    await world.add('short', '* * * * * *');
    const node = world.start('one', ['--session-ttl', `${ttlMs / 1000}s`]);
    const session = await node.session();
    const { pid = 0 } = node.guardian;
    t.after(() => resume(pid));
    const runs = async () => (await world.runs('short')).length;
    let before = 0;
    // The second time before its next look, after one that found the lease over.
    for (const thawedMs of [20, 0]) {
      process.kill(pid, 'SIGSTOP');
      await delay(0.85 * ttlMs);
      before = await runs();
      process.kill(pid, 'SIGCONT');
      await delay(thawedMs);
    }
    const isKilled = () => node.log().includes('killing the node');
    await until('the node goes on', async () => isKilled() || (await runs()) > before + 2);
    assert.equal(isKilled(), false, node.log());
    assert.equal(isAlive(session.pid), true);
  });
});
