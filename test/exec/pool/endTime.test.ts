import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { bootMs } from '../../../src/exec/lease/bootClock.ts';
import { createTestPool } from './testPool.ts';

const folder = mkdtempSync(join(tmpdir(), 'statecron-test-'));
after(() => rmSync(folder, { recursive: true }));

/** Thaws a process that has been frozen for half a second since the end of the pid in a file. */
const thaw = `until [ -s $1 ] && grep -q '^State:.T' /proc/$0/status; do sleep 0.01; done
  while kill -0 "$(< $1)" 2> /dev/null; do sleep 0.01; done
  sleep 0.5; kill -CONT $0`;

test('an end that is heard of late has the time at which bash ended', async () => {
  const pool = createTestPool({ spawnWay: 'launcher' });
  const file = join(folder, 'pid');
  const thawing = once(spawn('bash', ['-c', thaw, `${process.pid}`, file]), 'exit');
  const execution = await pool.runCommand(`echo $$ > ${file}; kill -STOP ${process.pid}; exit 3`);
  const heardMs = bootMs();
  await thawing;
  await pool.close();
  assert.equal(execution.exitCode, 3);
  const agoMs = heardMs - (execution.endedBootMs ?? heardMs);
  assert.ok(agoMs > 400, `it ended when bash did, not ${agoMs} ms ago`);
});
