import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { JobDefinition } from '../../src/domain/job/jobDefinition.ts';
import { until } from '../support/until.ts';
import { patient, processesOf } from './nodeProcess.ts';
import { makeNodeWorld } from './nodeWorld.ts';

interface HardJob {
  readonly command: string;
  readonly more?: Partial<JobDefinition>;
  /** What the one run row of the job must say. */
  readonly expect: {
    readonly result: string;
    readonly exitCode: number | null;
    readonly signal?: string;
    readonly reason?: RegExp;
    readonly outputBytes?: number;
  };
}

const largeBytes = 256 * 1024 ** 2;

const jobs: Record<string, HardJob> = {
  large: {
    command: 'head -c 256M /dev/zero',
    expect: { result: 'succeeded', exitCode: 0, outputBytes: largeBytes },
  },
  binary: {
    command: `printf '\\x00\\xff\\xfe\\xc3\\x28\\r\\n\\x1b[31m'; head -c 4096 /dev/urandom`,
    expect: { result: 'succeeded', exitCode: 0, outputBytes: 4096 + 12 },
  },
  ignoresTerm: {
    command: `trap '' TERM; while :; do sleep 1; done`,
    // Long enough for bash to be deaf by then, also where many start at once.
    more: { timeoutMs: 8_000, graceMs: 300 },
    expect: { result: 'timed_out', exitCode: null, signal: 'SIGKILL', reason: /SIGTERM.*SIGKILL/ },
  },
  daemonises: {
    command: 'setsid sleep 600 >/dev/null 2>&1 & (sleep 600 &) ; echo left',
    more: { graceMs: 300 },
    expect: { result: 'succeeded', exitCode: 0, reason: /left 2 processes running/ },
  },
  notExecutable: {
    command: '/etc/passwd',
    expect: { result: 'failed', exitCode: 126 },
  },
  notFound: {
    command: 'no-such-program-here',
    expect: { result: 'failed', exitCode: 127 },
  },
  killsItself: {
    command: 'kill -SEGV $$',
    expect: { result: 'failed', exitCode: null, signal: 'SIGSEGV' },
  },
  long: {
    command: `: ${'x'.repeat(140_000)}; echo "$#"`,
    expect: { result: 'succeeded', exitCode: 0, outputBytes: 2 },
  },
  noFolder: {
    command: 'true',
    more: { cwd: '/no/such/folder' },
    expect: { result: 'failed', exitCode: null, reason: /\/no\/such\/folder/ },
  },
};

test('jobs that misbehave end as one run row each that says so, and cost no memory', async (t) => {
  const world = await makeNodeWorld(t);
  const node = world.start('one', patient);
  const session = await node.session();
  await world.add('warm', '* * * * * *');
  await until('it is warm', async () => (await world.runs('warm')).length >= 3);
  // The first large output makes the heaps grow, however large it is; a larger one needs no more.
  await world.addOnce('first output', 1, { command: 'head -c 64M /dev/zero' });
  await until(
    'its output was read',
    async () => (await world.runs('first output')).length > 0,
    60_000,
  );
  const residentBefore = residentMb(session.pid);
  let residentMost = 0;
  const watch = setInterval(() => {
    residentMost = Math.max(residentMost, residentMb(session.pid));
  }, 50);
  t.after(() => clearInterval(watch));
  for (const [name, { command, more }] of Object.entries(jobs)) {
    await world.addOnce(name, 3, { command, ...more });
  }
  const names = Object.keys(jobs);
  const ended = async () => (await world.runs()).filter((run) => names.includes(run.job_name));
  await until('all have ended', async () => (await ended()).length >= names.length, 90_000);
  clearInterval(watch);
  t.diagnostic(`resident: ${residentBefore} MB before, at most ${residentMost} MB`);
  assert.ok(
    (residentMost - residentBefore) * 1024 ** 2 < 0.4 * largeBytes,
    'the output is not held in memory',
  );

  for (const [name, { expect }] of Object.entries(jobs)) {
    const runs = await world.runs(name);
    assert.equal(runs.length, 1, name);
    const [run] = runs;
    const said = { result: run?.result, exitCode: run?.exit_code, signal: run?.term_signal };
    const { result, exitCode, signal = null } = expect;
    assert.deepEqual(said, { result, exitCode, signal }, name);
    if (expect.reason !== undefined) assert.match(run?.reason, expect.reason, name);
    if (expect.outputBytes !== undefined) {
      assert.equal(run?.output_bytes, expect.outputBytes, name);
    }
  }
  const kept = await world.rows(
    `SELECT job.name, LENGTH(output) AS bytes, HEX(LEFT(output, 12)) AS head
     FROM run_output JOIN run USING (launch_id) JOIN job USING (job_id)`,
  );
  const keptOf = (name: string) => kept.find((row) => row.name === name);
  assert.ok(keptOf('large')?.bytes < 70_000, 'head and tail of it');
  assert.equal(keptOf('binary')?.head, '00FFFEC3280D0A1B5B33316D'.slice(0, 24));
  assert.equal(keptOf('binary')?.bytes, 4096 + 12, 'binary to the byte');
  const sleeping = processesOf(session.sessionId).filter(({ pid }) => /^sleep/.test(nameOf(pid)));
  assert.deepEqual(sleeping, [], 'what was left running has ended');
  await world.requireEveryTick();
});

/** RSS of a process and its threads, in MB. */
function residentMb(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
  return Math.round(Number(line?.[1]) / 1024);
}

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return ''; // it has just ended
  }
}
