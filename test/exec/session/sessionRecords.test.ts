import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, test } from 'node:test';
import { makeSessionId } from '../../../src/domain/run/launchId.ts';
import { bootMs } from '../../../src/exec/lease/bootClock.ts';
import { openLeaseFile } from '../../../src/exec/lease/leaseFile.ts';
import { markName } from '../../../src/exec/process/launchTag.ts';
import { readProcess } from '../../../src/exec/process/processTree.ts';
import { readStartTicks } from '../../../src/exec/process/procStat.ts';
import { openSessionRecords } from '../../../src/exec/session/sessionRecords.ts';
import { until } from '../../support/until.ts';
import { isAlive } from '../pool/testPool.ts';

const root = mkdtempSync(join(tmpdir(), 'statecron-test-'));
after(() => rmSync(root, { recursive: true }));

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

function startSleep(mark: string, leaseFd: number | 'ignore' = 'ignore'): number {
  const stdio = ['ignore', 'ignore', 'ignore', leaseFd] as const;
  const child = spawn('sleep', ['600'], { env: { [markName]: mark }, stdio: [...stdio] });
  started.push(child);
  return child.pid ?? 0;
}

const idOf = (pid: number) => ({ pid, startTicks: readStartTicks(pid) });
const gone = { pid: 2 ** 30, startTicks: 1 };

/** A session that was written down, changed as the test wishes, with a process of it. */
function makeEarlier(change: (record: Record<string, unknown>) => object = () => ({})) {
  const folder = mkdtempSync(join(root, 'name-'));
  const sessionId = makeSessionId();
  const records = openSessionRecords(folder, () => undefined);
  records.write({ sessionId, guardianPid: null, leaseFd: 3 });
  const path = join(folder, `${sessionId}.session`);
  const written = { ...JSON.parse(readFileSync(path, 'utf8')), node: gone };
  writeFileSync(path, JSON.stringify({ ...written, ...change(written) }));
  return { folder, path, records, sessionId, child: startSleep(`${sessionId}:1`) };
}

test('what a dead node has left is killed and named until it is forgotten', async () => {
  const other = startSleep(`${makeSessionId()}:1`);
  const { child, folder, records, sessionId } = makeEarlier();
  assert.deepEqual(await records.sweep(), [{ sessionId, why: null }]);
  assert.deepEqual([isAlive(child), isAlive(other)], [false, true]);
  assert.deepEqual(await records.sweep(), [{ sessionId, why: null }]);
  records.noteEnd(sessionId, 'a reason');
  assert.deepEqual(await records.sweep(), [{ sessionId, why: 'a reason' }]);
  records.forget(sessionId);
  assert.deepEqual([await records.sweep(), readdirSync(folder)], [[], []]);
});

const places = {
  'another boot': { bootId: 'another' },
  'another container': { pidNamespace: 'pid:[1]' },
};
for (const [place, change] of Object.entries(places)) {
  test(`what ${place} wrote down is left alone and dropped after a week`, async () => {
    const { child, folder, path, records } = makeEarlier(() => change);
    assert.deepEqual(await records.sweep(), []);
    assert.deepEqual([isAlive(child), readdirSync(folder).length], [true, 1]);
    const old = Date.now() / 1000 - 8 * 24 * 3600;
    utimesSync(path, old, old);
    assert.deepEqual(await records.sweep(), []);
    assert.deepEqual([isAlive(child), readdirSync(folder).length], [true, 0]);
  });
}

test('a node that lives is left alone as long as its lease is good', async () => {
  const lease = openLeaseFile();
  const node = startSleep('node', lease.fd);
  const { child, records, sessionId } = makeEarlier(() => ({ node: idOf(node) }));
  for (const endMs of [0, bootMs() + 60_000]) {
    lease.write(endMs);
    assert.deepEqual(await records.sweep(), []);
    assert.deepEqual([isAlive(node), isAlive(child)], [true, true]);
  }
  lease.write(bootMs() - 100);
  assert.deepEqual(await records.sweep(), [{ sessionId, why: null }]);
  assert.deepEqual([isAlive(node), isAlive(child)], [false, false]);
  lease.close();
});

test('a node of which nobody can tell the lease is left alone', async () => {
  const node = startSleep('node');
  const { child, records } = makeEarlier(() => ({ node: idOf(node), leaseFd: 7 }));
  assert.deepEqual(await records.sweep(), []);
  assert.deepEqual([isAlive(node), isAlive(child)], [true, true]);
});

test('a guardian that is awake sees to it itself, one that is frozen does not', async () => {
  const guardian = startSleep('guardian');
  const { child, records, sessionId } = makeEarlier(() => ({ guardian: idOf(guardian) }));
  assert.deepEqual(await records.sweep(), []);
  assert.ok(isAlive(child));
  process.kill(guardian, 'SIGSTOP');
  await until('it is frozen', () => readProcess(guardian)?.state === 'T');
  assert.deepEqual(await records.sweep(), [{ sessionId, why: null }]);
  assert.deepEqual([isAlive(child), isAlive(guardian)], [false, true]);
});

test('a file that is no record, and the record of this process, change nothing', async () => {
  const folder = mkdtempSync(join(root, 'name-'));
  const records = openSessionRecords(folder, () => undefined);
  records.write({ sessionId: makeSessionId(), guardianPid: process.ppid, leaseFd: 3 });
  for (const text of ['', '{}', 'null', '{"sessionId":"../x","node":{"pid":1,"startTicks":1}}']) {
    writeFileSync(join(folder, 'odd.session'), text);
    assert.deepEqual(await records.sweep(), []);
  }
  assert.deepEqual(await openSessionRecords(join(folder, 'none'), () => undefined).sweep(), []);
});

/** A session that seems to have ended, in a place where somebody else may have put it. */
const strangers = {
  'a folder that others may write to': (folder: string) => {
    chmodSync(folder, 0o777);
    return folder;
  },
  'a folder behind a link': (folder: string) => {
    symlinkSync(folder, `${folder}.link`);
    return `${folder}.link`;
  },
};
for (const [place, open] of Object.entries(strangers)) {
  test(`of ${place} nothing is believed, and nothing is written there`, async () => {
    const { child, folder, records, sessionId } = makeEarlier();
    const lines: string[] = [];
    const theirs = openSessionRecords(open(folder), (line) => lines.push(line));
    assert.deepEqual([await theirs.sweep(), await theirs.sweep()], [[], []]);
    assert.ok(isAlive(child));
    assert.match(lines.join('\n'), /^Earlier sessions .* cannot be trusted: .*\.$/, 'said once');
    const session = { sessionId: makeSessionId(), guardianPid: null, leaseFd: 3 };
    assert.throws(() => theirs.write(session), /cannot be trusted/);
    assert.equal(readdirSync(folder).length, 1);
    chmodSync(folder, 0o700);
    assert.deepEqual(await records.sweep(), [{ sessionId, why: null }]);
  });
}

const unsound = {
  'without a guardian': { guardian: undefined },
  'with a guardian that is no process': { guardian: { pid: 'self', startTicks: 1 } },
};
for (const [how, change] of Object.entries(unsound)) {
  test(`a record ${how} changes nothing`, async () => {
    const { child, records } = makeEarlier(() => change);
    assert.deepEqual(await records.sweep(), []);
    assert.ok(isAlive(child));
  });
}

test('a record in a file that another session would have changes nothing', async () => {
  const { child, folder, path, records } = makeEarlier();
  renameSync(path, join(folder, `${makeSessionId()}.session`));
  assert.deepEqual(await records.sweep(), []);
  assert.ok(isAlive(child));
});
