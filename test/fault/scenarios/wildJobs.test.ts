import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { scanProcesses } from '../../../src/exec/process/processTree.ts';
import { isAlive, patient, processesOf } from '../../node/nodeProcess.ts';
import { makeNodeWorld } from '../../node/nodeWorld.ts';
import { until } from '../../support/until.ts';

/** 255 processes, and a daemon for each leaf, that all take no notification of SIGTERM. */
const forkBomb = `trap '' TERM
  f() {
    if [ "$1" -gt 0 ]; then f $(($1 - 1)) & f $(($1 - 1)) & else setsid sleep 600 & fi
    exec sleep 600
  }
  f 7`;
/** It never lives for long, and leaves a successor in a session of its own; 1,000 times at most. */
const hopper = `export COUNT=1000; trap '' TERM
  hop() { COUNT=$((COUNT - 1)); sleep 0.02; echo >> "$TRACE"
    [ $COUNT -gt 0 ] && setsid bash -c hop & }
  export -f hop; hop; sleep 600`;

describe('jobs that breed, and launchers that die', { concurrency: true }, () => {
  for (const [name, command, least] of [
    ['fork bomb', forkBomb, 380],
    ['chain of daemons', hopper, 0],
  ] as const) {
    test(`a ${name} is one run that timed out, and its tree is gone before its row`, async (t) => {
      const world = await makeNodeWorld(t);
      const node = world.start('one', patient);
      const session = await node.session();
      const folder = mkdtempSync(path.join(os.tmpdir(), 'statecron-test-'));
      t.after(() => rmSync(folder, { recursive: true }));
      const trace = path.join(folder, 'trace');
      // What hops is seen by no look at all processes on a machine that is busy.
      const hops = () => (command === hopper ? statSync(trace).size : 2);
      const env = { TRACE: trace };
      const markedBy = (launchId: string) => {
        const scan = scanProcesses();
        return scan.entries.filter(({ pid }) => scan.markOf(pid) === launchId).length;
      };
      /** Resolves to whether it has bred before it timed out. */
      const runWild = async (job: string, timeoutMs: number): Promise<boolean> => {
        writeFileSync(trace, '');
        await world.addOnce(job, 2, { command, env, timeoutMs, graceMs: 300 });
        const launchId = await until('it executes', async () => {
          const [slot] = await world.rows("SELECT launch_id FROM slot WHERE state = 'executing'");
          return slot?.launch_id as string | undefined;
        });
        const isOver = async () => (await world.runs(job)).length > 0;
        const hasBred = () => markedBy(launchId) >= least && hops() >= 2;
        let isBred = false;
        const isSeen = async () => {
          await delay(200); // a look at all processes is work that they would do without
          isBred = hasBred();
          return isBred || (await isOver());
        };
        await until('it has bred, or is over', isSeen, 2 * timeoutMs + 60_000);
        await until('its row', isOver, 2 * timeoutMs + 60_000);
        const hopsAtEnd = hops();
        assert.equal(markedBy(launchId), 0);
        const [run, ...others] = await world.runs(job);
        assert.deepEqual([run?.result, run?.term_signal], ['timed_out', 'SIGKILL']);
        assert.deepEqual(others, []);
        assert.deepEqual(await node.session(), session, 'the node lives on');
        assert.equal(hops(), hopsAtEnd, 'nothing of it has gone on');
        return isBred;
      };
      // A machine that is slow with so many processes costs time and no test.
      if (await runWild('wild', 12_000)) return;
      assert.ok(await runWild('wild again', 90_000), 'it has bred');
    });
  }

  test('a node whose launcher is killed ends whole, and a new process goes on', async (t) => {
    const world = await makeNodeWorld(t);
    const node = world.start('one', patient);
    const session = await node.session();
    await world.add('long', '* * * * * *', { command: 'setsid sleep 600 & sleep 600' });
    await until('it lives', () => processesOf(session.sessionId).length >= 4);
    const scan = scanProcesses();
    const launcher = scan.entries.find(
      ({ pid }) => scan.markOf(pid) === `${session.sessionId}:launcher`,
    );
    assert.ok(launcher);
    process.kill(launcher.pid, 'SIGKILL');
    const next = await node.session(session);
    assert.notEqual(next.pid, session.pid);
    assert.equal(isAlive(session.pid), false, 'nothing is half alive');
    assert.deepEqual(processesOf(session.sessionId), []);
    await until('it runs again', () => processesOf(next.sessionId).length >= 4);
    const runs = await world.runs('long');
    assert.deepEqual(
      runs.filter((run) => run.launch_id !== null).map((run) => [run.result, run.session_id]),
      [['lost', session.sessionId]],
    );
    await world.requireEveryTick();
  });
});
