import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { until } from '../../support/until.ts';
import { commandOf, ledgerPlace } from '../workload/workloadJobs.ts';
import { bootNowMs } from '../world/bootNow.ts';
import { readLedgers } from './readLedgers.ts';

/** Runs the recorder as a node would; resolves to its exit code. */
async function record(t: TestContext, behaviour: readonly string[]) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'statecron-ledger-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const env = {
    PATH: process.env.PATH,
    STATECRON_JOB: 'recorded',
    STATECRON_LAUNCH_ID: 's1:7',
    STATECRON_SCHEDULED_FOR: '2030-01-01T00:00:01.000Z',
    STATECRON_ATTEMPT: '2',
    STATECRON_NODE: 'n3',
  };
  const command = commandOf(ledgerPlace(folder), 'recorded#4', behaviour);
  const beganMs = bootNowMs();
  const ended = await promisify(execFile)('bash', ['-c', command], { env }).then(
    () => 0,
    (error: { code: number }) => error.code,
  );
  return { folder, ended, beganMs };
}

test('a ledger tells when a process began, lived and ended, by the boot clock', async (t) => {
  const { folder, ended, beganMs } = await record(t, ['ms=220', 'exit=3']);
  const [process, ...others] = await readLedgers(folder, Number.POSITIVE_INFINITY);
  assert.deepEqual(others, []);
  assert.ok(process);
  const { startedMs, endedMs, lastSeenMs, processId, ...rest } = process;
  assert.deepEqual(rest, {
    job: 'recorded',
    launchId: 's1:7',
    sessionId: 's1',
    node: 'n3',
    scheduledForDatabaseMs: Date.parse('2030-01-01T00:00:01Z'),
    attempt: 2,
    exitCode: 3,
    token: 'recorded#4',
  });
  assert.equal(ended, 3);
  assert.ok(startedMs >= beganMs - 1 && (endedMs ?? 0) <= bootNowMs() + 1, 'one clock for both');
  assert.ok((endedMs ?? 0) - startedMs >= 220);
  assert.equal(lastSeenMs, endedMs);
});

test('descendants are seen after their parent has ended, and so is a daemon', async (t) => {
  const { folder } = await record(t, ['ms=60', 'child=300', 'daemon=450']);
  const lines = async () => (await readFile(path.join(folder, 'recorded'), 'utf8')).split('\n');
  const endOf = async () => (await readLedgers(folder, Number.POSITIVE_INFINITY))[0];
  await until('both have lived their time', async () => {
    const seen = await endOf();
    return seen !== undefined && seen.lastSeenMs - seen.startedMs > 500;
  });
  const process = await endOf();
  assert.ok(process?.endedMs && process.endedMs < process.lastSeenMs);
  const pids = new Set((await lines()).flatMap((line) => line.split('\t')[2] ?? []));
  assert.equal(pids.size, 3);
});

test('what was written after the instant of the reading is not in it', async (t) => {
  const { folder } = await record(t, ['ms=200']);
  const [whole] = await readLedgers(folder, Number.POSITIVE_INFINITY);
  assert.ok(whole);
  const [cut] = await readLedgers(folder, whole.startedMs + 100);
  assert.equal(cut?.endedMs, null);
  assert.ok((cut?.lastSeenMs ?? 0) <= whole.startedMs + 100);
  assert.deepEqual(await readLedgers(folder, whole.startedMs - 1), []);
});
