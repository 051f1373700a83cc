import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { afterEach, test } from 'node:test';
import { until } from '../../support/until.ts';
import { isAlive, spawnWays } from '../pool/testPool.ts';
import { endGuarded, launchersOf, startGuarded } from './startGuarded.ts';

afterEach(endGuarded);

const allDead = (pids: number[]) => !pids.some(isAlive);
/** Whether so much time has passed since this was made. */
const pause = (ms: number) => {
  const began = performance.now();
  return () => performance.now() - began > ms;
};

for (const spawnWay of spawnWays) {
  test(`${spawnWay}: kill -9 of the node leaves none of its children`, async () => {
    const { nodePid, children, exited, log, sessionId } = await startGuarded(15, { spawnWay });
    assert.equal(children.filter(isAlive).length, 45);
    process.kill(nodePid, 'SIGKILL');
    await until('all children are dead', () => allDead(children), 60_000);
    const [code] = await exited;
    assert.equal(code, 7, 'the next node was started and its goodbye ended the guardian');
    assert.match(log(), new RegExp(`ended=${sessionId}$`, 'm'));
    assert.match(log(), /^why=the process of its node was ended by SIGKILL$/m);
  });

  test(`${spawnWay}: kill -9 of the guardian ends the node and its children`, async () => {
    const { guardian, nodePid, children, log } = await startGuarded(15, { spawnWay });
    guardian.kill('SIGKILL');
    await until('node and children are dead', () => allDead([nodePid, ...children]), 60_000);
    assert.match(log(), /guardian lost/);
  });
}

test('a process that has only its group left is killed, too, when its bash has ended', async () => {
  const more = { spawnWay: 'direct', plan: 'rest', onFenced: 'exit' };
  const { nodePid, children, exited, log } = await startGuarded(3, more);
  // Who dies between a spawn and its report leaves nobody who knows of a group without marks.
  await until('the guardian has been notified', () =>
    log().includes('the guardian knows all groups'),
  );
  process.kill(nodePid, 'SIGKILL');
  await until('all children are dead', () => allDead(children), 60_000);
  assert.deepEqual(await exited, [75, null]);
});

test('what has shed mark and group is found even when the launcher itself is frozen', async () => {
  const { nodePid, children, exited, sessionId } = await startGuarded(3, { onFenced: 'exit' });
  const launchers = launchersOf(sessionId);
  assert.equal(launchers.length, 2);
  for (const pid of launchers) process.kill(pid, 'SIGSTOP');
  process.kill(nodePid, 'SIGKILL');
  assert.deepEqual(await exited, [75, null]);
  assert.ok(allDead([...children, ...launchers]));
});

test('a node that is frozen past its deadline is killed with its children', async () => {
  const more = { plan: 'freeze', onFenced: 'exit' };
  const { nodePid, children, exited } = await startGuarded(5, more);
  const began = performance.now();
  process.kill(nodePid, 'SIGUSR2');
  await until('node and children are dead', () => allDead([nodePid, ...children]), 60_000);
  assert.ok(performance.now() - began > 900, 'not before the lease of a second was over');
  assert.deepEqual(await exited, [75, null]);
});

test('a node whose event loop hangs past its deadline is killed with its children', async () => {
  const { nodePid, children, log } = await startGuarded(3, { plan: 'stall', onFenced: 'exit' });
  process.kill(nodePid, 'SIGUSR2');
  await until('node and children are dead', () => allDead([nodePid, ...children]), 60_000);
  assert.doesNotMatch(log(), /after the stall/);
});

test('a node that is merely slow to end keeps its lease and is not killed', async () => {
  const { nodePid, children } = await startGuarded(2, { plan: 'renew' });
  const began = performance.now();
  // Whatever lease it had by now is over then, and the guardian has looked.
  await until('a lease has passed', () => performance.now() - began > 4_500);
  assert.ok([nodePid, ...children].every(isAlive));
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal} is passed on once, and the clean end of the node is the end`, async () => {
    const { guardian, exited, nodePid, children, log } = await startGuarded(2);
    const began = performance.now();
    guardian.kill(signal);
    // One that comes later is another one; a machine that stands still between them leaves it out.
    if (performance.now() - began < 400) guardian.kill(signal);
    assert.deepEqual(await exited, [0, null]);
    assert.ok(allDead([nodePid, ...children]));
    assert.equal(log().match(/signal/g)?.length, 1, log());
  });
}

test('a third signal ends a node that will not drain, and all its children', async () => {
  const { guardian, exited, nodePid, children, log } = await startGuarded(2, { plan: 'hang' });
  const heard = () => log().match(/^signal/gm)?.length ?? 0;
  const began = performance.now();
  guardian.kill('SIGINT');
  await until('the node has heard', () => heard() === 1);
  // The same Ctrl-C once more, as npm passes it on; a machine too slow for that leaves it out.
  if (performance.now() - began < 400) guardian.kill('SIGINT');
  // The guardian has heard each before the node: from then on the time counts that parts requests.
  const isOver = pause(600);
  await until('it is a second request', () => {
    const times = heard();
    assert.ok(times === 1 || performance.now() - began > 500, 'the same Ctrl-C came twice');
    return isOver();
  });
  if (heard() === 1) guardian.kill('SIGINT');
  await until('the node has heard again', () => heard() === 2);
  assert.ok(isAlive(nodePid));
  await until('it is a third request', pause(600));
  guardian.kill('SIGINT');
  assert.deepEqual(await exited, [130, null]);
  assert.ok(allDead([nodePid, ...children]));
});

test('a node that ends before it has a session is not started again', async () => {
  const { exited } = await startGuarded(0, { plan: 'misconfigured' });
  assert.deepEqual(await exited, [78, null]);
});

test('a node that has worked is started again if it ends before its next session', async () => {
  const { exited, log } = await startGuarded(0, { plan: 'trip' });
  assert.deepEqual(await exited, [7, null], 'the third life has ended as it should');
  assert.equal(log().match(/^node/gm)?.length, 3);
});

test('a node that dies again and again is started ever more slowly', async () => {
  const { guardian, exited, log } = await startGuarded(0, { plan: 'dieAlways' });
  await until('the third life', () => (log().match(/^node/gm)?.length ?? 0) >= 3, 120_000);
  guardian.kill('SIGTERM');
  const [code] = await exited;
  assert.ok(code === 143 || code === 0, `${code}`);
});

test('a guardian takes no notice of Ctrl-Z and calls itself by its name', async () => {
  const { guardian, exited } = await startGuarded(1);
  guardian.kill('SIGTSTP');
  const stat = readFileSync(`/proc/${guardian.pid}/stat`, 'latin1');
  assert.doesNotMatch(stat, /\) T /);
  assert.match(readFileSync(`/proc/${guardian.pid}/cmdline`, 'latin1'), /^statecron guardian/);
  guardian.kill('SIGTERM');
  await exited;
});
