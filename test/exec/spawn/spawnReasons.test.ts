import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { scanProcesses } from '../../../src/exec/process/processTree.ts';
import type { RunRequest } from '../../../src/exec/request/runRequest.ts';
import type { ChildPlan } from '../../../src/exec/spawn/spawner.ts';
import { describeSpawnFailure, errorCode } from '../../../src/exec/spawn/spawnFailure.ts';
import { createTestPool } from '../pool/testPool.ts';

const folder = mkdtempSync(join(tmpdir(), 'statecron-test-'));
after(() => rmSync(folder, { recursive: true }));

test('input for which no file can be opened is refused with the error of the kernel', async () => {
  const pool = createTestPool({ spawnWay: 'launcher' });
  await pool.runCommand('true'); // the launcher has read what it is made of
  const [launcher, ...others] = scanProcesses().entries.filter(
    ({ parentPid, pid }) =>
      parentPid === process.pid &&
      readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('launcher.pl'),
  );
  assert.equal(others.length, 0);
  const limited = spawnSync('prlimit', ['--pid', `${launcher?.pid}`, '--nofile=3']);
  assert.equal(limited.status, 0, `${limited.stderr}`);
  const execution = await pool.runCommand('cat', { stdin: 'given' });
  await pool.close();
  assert.equal(
    execution.reason,
    'The standard input cannot be made (EMFILE, too many open files).',
  );
});

// In a namespace in which another program is found as `id`, as only root there may have it.
const unshare = ['--user', '--map-root-user', '--mount'];
const skip =
  spawnSync('unshare', [...unshare, 'true']).status !== 0 &&
  'not run: there are no user namespaces';

test('a user whose groups are not told is refused without a made-up error', { skip }, () => {
  const id = join(folder, 'id');
  writeFileSync(id, '#!/bin/sh\necho unknown\n');
  chmodSync(id, 0o755);
  const ownership = fileURLToPath(new URL('../../../src/exec/perl/ownership.pl', import.meta.url));
  const ask = `require "${ownership}";
    findOwner("- - - - - daemon", sub { print "$_[0] ", $! + 0; exit })`;
  const script = `mount --bind ${id} "$(readlink -f /usr/bin/id)" && exec perl -e "$0"`;
  const found = spawnSync('unshare', [...unshare, 'bash', '-c', script, ask]);
  const [stage, errno] = `${found.stdout}`.split(' ');
  assert.equal(stage, 'groups', `${found.stderr}`);
  const failure = { stage, code: errorCode(Number(errno)) } as const;
  const owned = { ownership: { user: 'daemon' } } as RunRequest;
  assert.equal(
    describeSpawnFailure(failure, owned, {} as ChildPlan),
    'The groups of the user daemon cannot be read with the program id ' +
      '(it ended without telling them).',
  );
});
