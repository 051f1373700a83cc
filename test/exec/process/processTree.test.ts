import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { test } from 'node:test';
import {
  killChecked,
  type ProcessEntry,
  type ProcessScan,
  readMark,
  readProcess,
  scanProcesses,
  selectTree,
} from '../../../src/exec/process/processTree.ts';
import { readStartTicks } from '../../../src/exec/process/procStat.ts';
import { until } from '../../support/until.ts';

/** A scan of processes that never were: pid, parent, group, session, start, mark. */
function scanOf(...rows: [number, number, number, number, number, string?][]): ProcessScan {
  const entries: ProcessEntry[] = rows.map(([pid, parentPid, groupId, sessionId, startTicks]) => ({
    pid,
    parentPid,
    groupId,
    sessionId,
    startTicks,
    state: 'S',
  }));
  const marks = new Map(rows.map((row) => [row[0], row[5] ?? null]));
  const childrenOf = new Map<number, ProcessEntry[]>();
  for (const entry of entries) {
    childrenOf.set(entry.parentPid, [...(childrenOf.get(entry.parentPid) ?? []), entry]);
  }
  return {
    entries,
    childrenOf,
    markOf: (pid) => marks.get(pid) ?? null,
    tagOf: () => null,
    isSpared: () => false,
  };
}

const nobody = { hasMark: () => false, groups: new Map(), roots: new Map() };
const pids = (entries: ProcessEntry[]) => entries.map(({ pid }) => pid).sort((a, b) => a - b);

test('a tree is found by group, by session, by mark and by descent', () => {
  const scan = scanOf(
    [900_001, 1, 900_001, 900_001, 50],
    [900_002, 1, 900_001, 7, 60],
    [900_003, 1, 8, 900_001, 60],
    [900_004, 1, 9, 9, 60, 's:1'],
    [900_005, 900_004, 10, 10, 70],
    [900_006, 900_005, 11, 11, 80],
    [900_007, 1, 12, 12, 90, 's:2'],
  );
  const hasMark = (mark: string) => mark === 's:1';
  const groups = new Map([[900_001, 50]]);
  const tree = selectTree(scan, { ...nobody, hasMark, groups });
  assert.deepEqual(pids(tree), [900_001, 900_002, 900_003, 900_004, 900_005, 900_006]);
});

test('a group whose number was given away again is not the same group', () => {
  const scan = scanOf([900_001, 1, 900_001, 900_001, 50]);
  assert.deepEqual(selectTree(scan, { ...nobody, groups: new Map([[900_001, 51]]) }), []);
});

test('a root counts only with the start time that it was seen with', () => {
  const scan = scanOf([900_001, 1, 5, 5, 50], [900_002, 1, 6, 6, 50]);
  const roots = new Map([
    [900_001, 50],
    [900_002, 49],
  ]);
  assert.deepEqual(pids(selectTree(scan, { ...nobody, roots })), [900_001]);
});

test('this process is never part of a tree', () => {
  const scan = scanOf([process.pid, 1, 5, 5, 50, 's:1']);
  assert.deepEqual(selectTree(scan, { ...nobody, hasMark: () => true }), []);
});

test('a process is read with its mark, whatever its name, and signalled as that only', async () => {
  const env = { A: 'x', STATECRON_LAUNCH_ID: 's:1' };
  const child = spawn('sleep', ['100'], { argv0: ') Z 1 1 (', env, detached: true });
  const pid = child.pid as number;
  const entry = readProcess(pid) as ProcessEntry;
  assert.deepEqual([entry.parentPid, entry.groupId], [process.pid, pid]);
  await until('it is past exec', () => readMark(pid) === 's:1');
  assert.ok(scanProcesses().entries.some((other) => other.pid === pid));
  assert.equal(killChecked({ ...entry, startTicks: entry.startTicks - 1 }, 'SIGKILL'), false);
  assert.notEqual(readProcess(pid), null);
  assert.equal(killChecked(entry, 'SIGKILL'), true);
  await once(child, 'exit');
  assert.equal(readProcess(pid), null);
});

test('one scan reads mark and tag of a process once, also where there is none', (t) => {
  const scan = scanProcesses();
  const { mock } = t.mock.method(fs, 'readFileSync');
  syncBuiltinESMExports();
  t.after(() => {
    mock.restore();
    syncBuiltinESMExports();
  });
  const nobodys = 2 ** 30;
  for (let look = 0; look < 3; look += 1) {
    assert.deepEqual([scan.markOf(nobodys), scan.tagOf(nobodys)], [null, null]);
  }
  const paths = mock.calls.map((call) => String(call.arguments[0]));
  assert.deepEqual(paths, [`/proc/${nobodys}/environ`, `/proc/${nobodys}/limits`]);
});

test('a zombie is no process, but its start time is still known', async () => {
  // Its parent becomes a sleep, which never asks after it; it ends when it has seen that.
  const isSleep = '[ "$(cat /proc/$$/comm)" = sleep ]';
  const child = `until ${isSleep}; do sleep 0.05; done`;
  const parent = spawn('bash', ['-c', `(${child}) & echo $!; exec sleep 100`]);
  const [line] = await once(parent.stdout, 'data');
  const zombie = Number(String(line));
  await until('it has ended', () => readProcess(zombie) === null);
  assert.ok(readStartTicks(zombie) > 0);
  parent.kill('SIGKILL');
  await once(parent, 'exit');
});

test('init and the groups that are its own belong to nobody', () => {
  const scan = scanOf(
    [1, 0, 0, 0, 10],
    [900_001, 1, 900_001, 0, 50],
    [900_002, 900_001, 900_002, 900_002, 60],
  );
  const everything = { hasMark: () => false, groups: new Map([[0, 0]]), roots: new Map([[1, 10]]) };
  assert.deepEqual(selectTree(scan, everything), []);
});
