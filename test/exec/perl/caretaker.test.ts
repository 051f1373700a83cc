import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, test } from 'node:test';
import { reasons } from '../../../src/domain/reasons/reasons.ts';
import type { Execution } from '../../../src/domain/run/run.ts';
import { bootMs as bootNowMs } from '../../../src/exec/lease/bootClock.ts';
import type { RunRequest } from '../../../src/exec/request/runRequest.ts';
import { fileNameOf } from '../../../src/exec/result/resultFile.ts';
import { openSpool } from '../../../src/exec/result/spoolFolder.ts';
import { sweepSession } from '../../../src/exec/session/sessionSweep.ts';
import { until } from '../../support/until.ts';
import {
  createTestPool,
  isAlive,
  pidsIn,
  type TestPool,
  textOf,
  timedOutWhenUp,
} from '../pool/testPool.ts';

const root = mkdtempSync(join(tmpdir(), 'statecron-test-'));
after(() => rmSync(root, { recursive: true }));
const spoolFolder = join(root, 'spool');
const spool = openSpool(spoolFolder);
const care = { spoolFolder, clockOffsetMs: Date.now() };

const pools: TestPool[] = [];
afterEach(async () => {
  for (const { sessionId, close } of pools.splice(0)) {
    await close();
    await sweepSession({ sessionId, groups: new Map(), patienceMs: 2_000 });
  }
});

let sessions = 0;
/** A pool whose session id is one that a result's file can be named for. */
function startPool(options: Parameters<typeof createTestPool>[0] = {}): TestPool {
  sessions += 1;
  const sessionId = `s${process.pid}x${sessions}`;
  const pool = createTestPool({ spawnWay: 'launcher', ...options, sessionId });
  pools.push(pool);
  return pool;
}

const fileOf = (name: string): string => join(root, name);

/** What a job waits at until the test opens it, however slow either is. */
function makeGate(name: string): { wait: string; open: () => void } {
  const file = fileOf(`${name}-gate`);
  const wait = `until [ -e ${file} ]; do sleep 0.05; done`;
  return { wait, open: () => writeFileSync(file, '') };
}

/** What is spooled of the pool's first launch, once it is there. */
async function spooledOf({ sessionId }: TestPool, withinMs = 60_000, from = spool) {
  const launchId = `${sessionId}:1`;
  const began = performance.now();
  for (;;) {
    const result = await from.read(launchId).catch(() => null); // a folder stands in its place
    if (result !== null && 'execution' in result) return result;
    assert.ok(performance.now() - began < withinMs, 'it is spooled in time');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const more = (changes: Partial<RunRequest> = {}): Partial<RunRequest> => ({ care, ...changes });

/** When bash ended is its own affair; a result's file has it by the database's clock. */
function untimed({ endedBootMs: _, ...execution }: Execution): Execution {
  return execution;
}

test('a job under care ends for its node as it would without', async () => {
  const pool = startPool();
  const commands = [
    'echo out; echo err >&2; exit 3',
    'kill -TERM $$',
    'kill -SEGV $$',
    'cat; printf "\\x00\\xff"',
    'head -c 300000 /dev/zero; echo end',
    'exit 0',
  ];
  for (const command of commands) {
    const changes = { stdin: 'given', outputBytesMax: 1_000 };
    const [plain, cared] = await Promise.all([
      pool.runCommand(command, changes),
      pool.runCommand(command, more(changes)),
    ]);
    assert.deepEqual(untimed(cared), untimed(plain), command);
  }
  assert.equal(pool.stats().running, 0);
});

test('its result is spooled before its node hears of it, with the end of its output', async () => {
  const pool = startPool();
  const command = 'echo begin; head -c 100000 /dev/zero; echo end; exit 4';
  const execution = await pool.runCommand(command, more({ outputBytesMax: 1_000 }));
  const spooled = await spool.read(`${pool.sessionId}:1`);
  assert.ok(spooled !== null && 'execution' in spooled);
  assert.deepEqual(spooled.execution, untimed(execution));
  assert.equal(spooled.execution.outputBytes, 100_010);
  assert.ok(Math.abs((spooled.endedMs ?? 0) - care.clockOffsetMs - bootNowMs()) < 60_000);
});

test('it outlives a node that is fenced, all of it, and what it came to is spooled', async () => {
  const pool = startPool();
  const file = fileOf('fenced');
  const gate = makeGate('fenced');
  const daemon = `(env -i setsid bash -c 'echo $$ >> ${file}; ${gate.wait}; echo daemon' &)`;
  const command = `echo $$ >> ${file}; ${daemon}; ${gate.wait}; echo said; exit 5`;
  const waits = more({ leftovers: 'wait' });
  const cared = assert.rejects(pool.runCommand(command, waits), { name: 'FencedError' });
  const other = fileOf('other');
  const plain = assert.rejects(pool.runCommand(`echo $$ >> ${other}; sleep 60`));
  const pids = await until('all live', () => pidsIn(file, 2));
  const [plainPid = 0] = await until('the other too', () => pidsIn(other, 1));
  await pool.killEverything();
  await pool.close();
  await Promise.all([cared, plain]);
  assert.equal(isAlive(plainPid), false);
  assert.deepEqual(pids.map(isAlive), [true, true]);
  gate.open();
  const { execution } = await spooledOf(pool);
  assert.deepEqual([execution.result, execution.exitCode], ['failed', 5]);
  assert.deepEqual(textOf(execution).trim().split('\n').sort(), ['daemon', 'said']);
  assert.deepEqual(pids.map(isAlive), [false, false]);
});

test('when its node is gone its caretaker enforces the timeout, down to the last', async () => {
  let file = '';
  const { execution, timeoutMs } = await timedOutWhenUp(
    async (timeoutMs) => {
      const pool = startPool();
      file = fileOf(`timeout-${timeoutMs}`);
      const noted = `trap '' TERM; echo \\$\\$ >> ${file}`;
      const daemon = `(env -i setsid bash -c "${noted}; sleep 60; :" &)`;
      const command = `trap '' TERM; echo $$ >> ${file}; ${daemon}; while :; do sleep 1; done`;
      let isOver = false;
      const began = performance.now();
      const run = pool.runCommand(command, more({ timeoutMs, graceMs: 300 }));
      const rejection = run.catch((error: Error) => error.name);
      rejection.finally(() => {
        isOver = true;
      });
      await until('all live', () => isOver || pidsIn(file, 2), 120_000);
      await pool.killEverything();
      const isInTime = performance.now() - began < timeoutMs; // the node has not begun to end it
      await pool.close();
      if (isInTime) assert.equal(await rejection, 'FencedError');
      return isInTime ? (await spooledOf(pool)).execution : null;
    },
    (found) => found !== null,
  );
  assert.ok(execution);
  assert.deepEqual([execution.result, execution.signal], ['timed_out', 'SIGKILL']);
  const reason = reasons.timedOut(timeoutMs, 'SIGTERM, then SIGKILL 300 ms later');
  assert.ok(execution.reason?.startsWith(reason), execution.reason ?? '');
  assert.deepEqual(pidsIn(file, 2)?.map(isAlive), [false, false]);
});

test('what bash leaves running is ended by its caretaker, also without its node', async () => {
  for (const isFenced of [false, true]) {
    const pool = startPool();
    const file = fileOf(`leftovers ${isFenced}`);
    const path = JSON.stringify(file);
    const gate = makeGate(`leftovers-${isFenced}`);
    const command = `setsid sleep 60 & echo $! >> ${path}; ${gate.wait}`;
    const run = pool.runCommand(command, more({ graceMs: 300 })).catch(() => null);
    const pids = await until('it lives', () => pidsIn(file, 1));
    if (isFenced) await pool.killEverything();
    gate.open();
    const { execution } = await spooledOf(pool);
    assert.equal(execution.result, 'succeeded');
    assert.deepEqual(pids.map(isAlive), [false]);
    if (isFenced) await pool.close();
    await run;
  }
});

for (const reason of ['stopped', 'timed_out'] as const) {
  test(`while its node lives a run under care is ${reason} like any other`, async () => {
    const pool = startPool();
    let file = '';
    const start = (timeoutMs: number | null) => {
      file = fileOf(`${reason}-${timeoutMs}`);
      const noted = `echo $$ >> ${file}; echo $! >> ${file}`;
      const command = `trap '' TERM; setsid sleep 60 & ${noted}; wait; wait`;
      return pool.runCommand(command, more({ timeoutMs, graceMs: 300 }));
    };
    const stopped = async () => {
      const run = start(null);
      await until('it lives', () => pidsIn(file, 2));
      pool.stop(`${pool.sessionId}:1`, 'stopped');
      return { execution: await run };
    };
    const ended = reason === 'stopped' ? stopped() : timedOutWhenUp(start, () => pidsIn(file, 2));
    assert.equal((await ended).execution.result, reason);
    assert.deepEqual(pidsIn(file, 2)?.map(isAlive), [false, false]);
  });
}

test('where there is no Perl such a job is refused with its reason', async () => {
  const pool = startPool({ spawnWay: 'direct' });
  const execution = await pool.runCommand('echo no', more());
  assert.equal(execution.result, 'spawn_failed');
  assert.match(execution.reason ?? '', /--on-fence finish.*needs Perl/);
  assert.equal((await pool.runCommand('echo yes')).result, 'succeeded');
});

test('a spool that cannot be written changes nothing for the node', async () => {
  const pool = startPool();
  const noFolder = { spoolFolder: '/proc/none', clockOffsetMs: null };
  const execution = await pool.runCommand('echo said; exit 2', { care: noFolder });
  assert.deepEqual([execution.exitCode, textOf(execution)], [2, 'said\n']);
});

test('a spool that cannot be written is tried until it can, once its node is gone', async () => {
  const pool = startPool();
  const folder = join(spoolFolder, 'blocked');
  const name = fileNameOf(`${pool.sessionId}:1`);
  mkdirSync(join(folder, name, 'in the way'), { recursive: true });
  const tries = watchTries(folder);
  const file = fileOf('blocked');
  const gate = makeGate('blocked');
  const blocked = { care: { ...care, spoolFolder: folder }, timeoutMs: null };
  const command = `echo $$ >> ${file}; ${gate.wait}; echo said; exit 5`;
  const run = assert.rejects(pool.runCommand(command, blocked), { name: 'FencedError' });
  await until('it lives', () => pidsIn(file, 1));
  await pool.killEverything();
  await pool.close();
  await run;
  gate.open();
  await tries.next();
  rmSync(join(folder, name), { recursive: true });
  const { execution } = await spooledOf(pool, 15_000, openSpool(folder));
  assert.deepEqual([execution.exitCode, textOf(execution)], [5, 'said\n']);
  assert.match(execution.reason ?? '', /^It could not be spooled for \d+ ms: Is a directory\.$/);
});

/** Sees each try to write into a folder, by the temporary file that it removes. */
function watchTries(folder: string): { next(): Promise<unknown> } {
  const events = watch(folder)[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => {
    const { value } = await events.next();
    const isEnd = value?.filename?.endsWith('.tmp') && !existsSync(join(folder, value.filename));
    return isEnd === true ? events.return?.() : next();
  };
  return { next };
}

test('secrets are masked in what its caretaker keeps, wherever a write cuts them', async () => {
  const pool = startPool();
  const file = fileOf('secrets');
  const value = 'open-sesame-42';
  const cut = `printf "<%s" "\${TOKEN:0:7}"; sleep 0.3; printf "%s>" "\${TOKEN:7}"`;
  const gate = makeGate('secrets');
  const begun = `echo $$ >> ${file}; ${gate.wait}; ${cut}; echo "$TOKEN$TOKEN"; echo "$KEY"`;
  const env = { TOKEN: value, KEY: 'first line\n second line ' };
  const secrets = more({ env, secretNames: ['TOKEN', 'KEY'] });
  const run = assert.rejects(pool.runCommand(begun, secrets), { name: 'FencedError' });
  await until('it lives', () => pidsIn(file, 1));
  await pool.killEverything();
  await pool.close();
  await run;
  gate.open();
  const { execution } = await spooledOf(pool);
  assert.equal(textOf(execution), '<***>******\n***\n');
  assert.equal(execution.outputBytes, execution.output.length);
});

test('a run under care has its secrets masked by its node, too', async () => {
  const pool = startPool();
  const secrets = { env: { TOKEN: 'open-sesame-42' }, secretNames: ['TOKEN'] };
  const execution = await pool.runCommand('echo "a $TOKEN b"', more(secrets));
  assert.equal(textOf(execution), 'a *** b\n');
});
