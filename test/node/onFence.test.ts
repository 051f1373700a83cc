import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { scanProcesses } from '../../src/exec/process/processTree.ts';
import { until } from '../support/until.ts';
import { isAlive, type LiveSession, shortLived } from './nodeProcess.ts';
import { makeNodeWorld } from './nodeWorld.ts';

/** A node with one job that finishes in spite of a fence and one that does not, both executing. */
async function startBoth(t: TestContext, args: readonly string[] = []) {
  const world = await makeNodeWorld(t);
  const node = world.start('one', args);
  const session = await node.session();
  const finish = { onFence: 'finish', format: 2 } as const;
  // It goes on until it has to end, however slow the machine is.
  const file = path.join(os.tmpdir(), `statecron-end-${session.sessionId}`);
  t.after(() => rmSync(file, { force: true }));
  const waits = `while [ ! -e ${file} ]; do sleep 0.1; done`;
  const command = `(env -i setsid sleep 600 &); ${waits}; echo said; exit 7`;
  await world.addOnce('finishes', 3, { command, ...finish });
  await world.addOnce('dies', 3, { command: 'sleep 600' });
  const started = async () => (await world.count("slot WHERE state = 'executing'")) === 2;
  await until('both execute', started);
  const [launch] = await world.rows(
    "SELECT launch_id FROM slot JOIN job USING (job_id) WHERE name = 'finishes'",
  );
  const launchId = launch?.launch_id as string;
  /** Processes of each that carry its mark. */
  const alive = () => {
    // By one look at each: a `sleep` that it waits by may have ended by a second one.
    const marks = marksOf(session);
    return {
      all: marks.length,
      finishing: marks.filter((mark) => mark === launchId).length,
    };
  };
  await until('bash of it', () => alive().finishing >= 2);
  const requireRecorded = async () => {
    writeFileSync(file, '');
    await until('it is recorded', async () => {
      const [run] = await world.runs('finishes');
      return run?.result === 'failed';
    });
    const runs = await world.runs();
    const rows = runs.map((run) => [run.job_name, run.result, run.exit_code]).sort();
    assert.deepEqual(rows, [
      ['dies', 'lost', null],
      ['finishes', 'failed', 7],
    ]);
    const [run] = await world.runs('finishes');
    assert.match(run?.reason, /recorded late/);
    const [old] = await world.rows('SELECT ended_at FROM session WHERE session_id = ?', [
      session.sessionId,
    ]);
    assert.ok(run?.ended_at >= old?.ended_at, 'it ended when it did, not with its session');
    const [output] = await world.rows('SELECT CAST(output AS CHAR) AS said FROM run_output');
    assert.equal(output?.said, 'said\n');
    await until('nothing of it lives', () => alive().all === 0);
    await world.requireEveryTick();
  };
  return { world, node, session, alive, requireRecorded };
}

/** The marks of all that lives of a session but its node. */
function marksOf({ sessionId, pid: nodePid }: LiveSession): string[] {
  const scan = scanProcesses();
  return scan.entries.flatMap(({ pid }) => {
    const mark = pid === nodePid ? null : scan.markOf(pid);
    return mark?.startsWith(`${sessionId}:`) === true ? [mark] : [];
  });
}

const isAlone = ({ all, finishing }: { all: number; finishing: number }) => all === finishing;

describe('a job that is left to finish when its node is fenced', { concurrency: 2 }, () => {
  test('goes on after kill -9 of its node, and the next process records it', async (t) => {
    const { node, session, alive, requireRecorded } = await startBoth(t);
    process.kill(session.pid, 'SIGKILL');
    await node.session(session);
    const { all, finishing } = alive();
    assert.ok(finishing >= 2, 'caretaker and bash');
    assert.equal(all, finishing, 'and nothing else of the old session');
    assert.match(node.log(), /1 run goes on that is left to finish, and nothing else of it lives/);
    await requireRecorded();
  });

  test('goes on when its node was frozen past the lease', async (t) => {
    const { node, session, alive, requireRecorded } = await startBoth(t, shortLived);
    process.kill(session.pid, 'SIGSTOP');
    await node.session(session);
    assert.equal(isAlive(session.pid), false);
    const { all, finishing } = alive();
    assert.ok(finishing >= 2 && all === finishing);
    await requireRecorded();
  });

  test('goes on after kill -9 of the guardian, and is recorded by a later node', async (t) => {
    const { world, node, session, alive, requireRecorded } = await startBoth(t);
    node.guardian.kill('SIGKILL');
    await until('the node is gone', () => !isAlive(session.pid));
    await until('only it lives', () => isAlone(alive()));
    assert.ok(alive().finishing >= 2);
    await world.start('one').session(session);
    await requireRecorded();
  });

  test('ends with a drain like any other: it is stopped and recorded as such', async (t) => {
    const { world, node, alive } = await startBoth(t, ['--drain-timeout', '500ms']);
    node.guardian.kill('SIGTERM');
    assert.deepEqual(await node.exited(), [0, null]);
    assert.equal(alive().all, 0);
    const results = (await world.runs()).map(({ result }) => result);
    assert.deepEqual(results, ['stopped', 'stopped']);
  });

  test('a second SIGTERM stops at once what a drain would wait for', async (t) => {
    const { world, node, alive } = await startBoth(t, ['--drain-timeout', '1h']);
    node.guardian.kill('SIGTERM');
    await until('it drains', () => node.log().includes('draining'));
    const began = performance.now();
    // Two of them within half a second are one, as npm passes a Ctrl-C on a second time.
    await until('it is a second request', () => performance.now() - began > 600);
    assert.ok(alive().finishing >= 2, 'a drain waits');
    node.guardian.kill('SIGTERM');
    assert.deepEqual(await node.exited(), [0, null]);
    assert.equal(alive().all, 0);
    const results = (await world.runs()).map(({ result }) => result);
    assert.deepEqual(results, ['stopped', 'stopped']);
  });

  test('a third SIGTERM ends all at once, that job too', async (t) => {
    const args = ['--drain-timeout', '1h', '--session-ttl', '120s'];
    const { node, session, alive } = await startBoth(t, args);
    process.kill(session.pid, 'SIGSTOP'); // so that the first two change nothing
    const heard = ['', 'A second SIGTERM', 'SIGTERM again'];
    for (const word of heard) {
      const began = performance.now();
      const send = (): void => void node.guardian.kill('SIGTERM');
      send();
      // Two that a guardian which stood still hears at once are one.
      await until(`it is heard: ${word}`, () => {
        const isTime = performance.now() - began > 600;
        if (isTime && !node.log().includes(word)) send();
        return isTime && node.log().includes(word);
      });
    }
    await node.exited();
    assert.equal(alive().all, 0);
  });
});
