import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, readdir, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import test from 'node:test';
import { debianMirror } from '../../support/fetchMysql.ts';
import { temporaryFolder } from './startOwner.ts';

const NOBODY = 65534;
const program = path.join(import.meta.dirname, 'fixtures/owner.ts');

test('without a server on the machine an ordinary user gets one from apt', async (t) => {
  const missing = await reasonMissing();
  if (missing !== undefined) return t.skip(`not run: ${missing}`);
  const home = await temporaryFolder(t);
  await chmod(home, 0o711);
  if (isRoot()) await chown(home, NOBODY, NOBODY);
  const dataDir = path.join(home, '.local/share/statecron');

  const first = await runOwner(home, dataDir);
  assert.match(first.said, /"chosen":"MariaDB [^"]* downloaded now/, first.said);
  assert.match(first.said, /Downloading .*: [\d.]+ [kM]B/);
  // The server of an ordinary user crashes at start on a pid file that root left.
  await writeFile(path.join(dataDir, 'server.pid'), '1\n', { mode: 0o644 });
  const second = await runOwner(home, dataDir);
  assert.match(second.said, /downloaded earlier/, second.said);
  assert.doesNotMatch(second.said, /Downloading|Making/);

  assert.deepEqual(await readdir(home), ['.local'], 'nothing is left beside the data');
  const uid = isRoot() ? NOBODY : process.getuid?.();
  assert.equal((await stat(path.join(dataDir, 'data/ibdata1'))).uid, uid);
});

/** Starts as an ordinary user with no server in sight, waits until it is ready, and stops it. */
async function runOwner(home: string, dataDir: string): Promise<{ said: string }> {
  const [command = '', ...args] = [...asOrdinaryUser(), process.execPath, '--import', 'tsx'];
  const child: ChildProcess = spawn(command, [...args, program, dataDir, `${dataDir}/engine`, ''], {
    env: { PATH: process.env.PATH, HOME: home, TMPDIR: '/tmp' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { stdout, stderr } = child;
  assert.ok(stdout !== null && stderr !== null);
  let said = '';
  for (const stream of [stdout, stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  // The line is there once the server runs.
  stdout.once('data', () => child.kill('SIGTERM'));
  assert.deepEqual(await once(child, 'close'), [0, null], said);
  return { said };
}

function asOrdinaryUser(): string[] {
  if (!isRoot()) return [];
  return ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

async function reasonMissing(): Promise<string | undefined> {
  const mirror = await debianMirror();
  if (mirror === undefined) return 'download of MariaDB: no Debian source is set up here';
  if (!(await answers(new URL(mirror)))) return `download of MariaDB: ${mirror} is out of reach`;
  const [command = '', ...args] = [...asOrdinaryUser(), 'test', '-r', program];
  const [exitCode] = (await once(spawn(command, args), 'exit')) as [number];
  return exitCode === 0 ? undefined : 'download of MariaDB: other users cannot read this checkout';
}

async function answers(mirror: URL): Promise<boolean> {
  const port = Number(mirror.port || (mirror.protocol === 'https:' ? 443 : 80));
  const socket = connect({ host: mirror.hostname, port, timeout: 5_000 });
  try {
    return await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
      socket.once('timeout', () => resolve(false));
    });
  } finally {
    socket.destroy();
  }
}
