import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { until } from '../../support/until.ts';
import { ledgerPlace } from '../workload/workloadJobs.ts';
import { unwrapCommand, wrapCommand } from './wrappedCommand.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'statecron-wrapped-'));
});
after(() => rm(folder, { recursive: true, force: true }));

/** Starts a command as a node does: a bash of its own, in a process group of its own. */
async function start(command: string, job: string) {
  const place = ledgerPlace(path.join(folder, 'ledger'));
  await mkdir(place.folder, { recursive: true });
  const bash = spawn('bash', ['-c', wrapCommand(place, `${job}#1`, command)], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH ?? '',
      STATECRON_JOB: job,
      STATECRON_LAUNCH_ID: 'session:1',
      STATECRON_SCHEDULED_FOR: '2030-01-01T00:00:00.000Z',
      STATECRON_ATTEMPT: '1',
      STATECRON_NODE: 'a',
    },
  });
  const said: string[] = [];
  bash.stdout.on('data', (chunk: Buffer) => void said.push(chunk.toString()));
  const ended = once(bash, 'close').then(([code, signal]) => ({ code, signal }));
  const ledger = () => readFile(path.join(place.folder, job.replaceAll('/', '_')), 'utf8');
  return { bash, ended, ledger, said: () => said.join('') };
}

test('every command comes back as it was, and none that is not behind a recorder does', () => {
  const place = ledgerPlace('/tmp/ledger');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (command) => {
      assert.equal(unwrapCommand(wrapCommand(place, 'job-1#2', command)), command);
    }),
  );
  assert.equal(unwrapCommand("exec perl '/x/other.pl' 'run=true'"), null);
});

test('a recorded command says and ends as it does alone', async () => {
  const command = `printf '%s\\n' "it's" 'two
lines' "$STATECRON_JOB"; exit 7`;
  const run = await start(command, 'a/b');
  assert.deepEqual(await run.ended, { code: 7, signal: null });
  assert.equal(run.said(), "it's\ntwo\nlines\na/b\n");
  const lines = (await run.ledger()).trim().split('\n');
  assert.deepEqual(
    lines.map((line) => line.slice(0, 1)),
    ['S', 'E'],
  );
  assert.match(lines[1] ?? '', /\t7$/);
});

test('a signal to the group is answered by the command, not by its recorder', async () => {
  const run = await start(
    "trap 'echo bye; exit 4' TERM; echo up; while :; do sleep 0.1; done",
    'trap',
  );
  await until('it is up', () => run.said() !== '');
  process.kill(-(run.bash.pid ?? 0), 'SIGTERM');
  assert.deepEqual(await run.ended, { code: 4, signal: null });
  assert.equal(run.said(), 'up\nbye\n');
});

test('a command that dies of a signal has no end in the ledger', async () => {
  const run = await start('kill -SEGV $$', 'dying');
  assert.deepEqual(await run.ended, { code: null, signal: 'SIGSEGV' });
  assert.doesNotMatch(await run.ledger(), /^E/m);
});

test('a command goes on to run when nobody records any more', async () => {
  const command = wrapCommand(
    ledgerPlace(path.join(folder, 'gone')),
    'job-1#1',
    'echo still; exit 3',
  );
  const bash = spawn('bash', ['-c', command], { env: { ...process.env, STATECRON_JOB: 'x' } });
  let said = '';
  bash.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  assert.deepEqual(await once(bash, 'close'), [3, null]);
  assert.equal(said, 'still\n');
});
