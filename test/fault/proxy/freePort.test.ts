import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { until } from '../../support/until.ts';
import { freePort } from './freePort.ts';
import { listenAt } from './sockets.ts';

const range = { lowest: 19_001, highest: 19_006 };
const program = path.join(import.meta.dirname, 'freePort.ts');
/** Takes two ports, prints them, and lives on. */
const script = `const { freePort } = await import(${JSON.stringify(program)});
  const range = ${JSON.stringify(range)};
  console.log(JSON.stringify([await freePort(range), await freePort(range)]));
  setInterval(() => {}, 1_000);`;

test('a port is given to one process until that ends, to none while it is in use', async (t) => {
  const server = createServer();
  await listenAt(server, 19_003);
  t.after(() => server.close());
  const args = ['--import', 'tsx', '--input-type', 'module', '--eval', script];
  const other = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => other.kill('SIGKILL'));
  const [line] = (await once(other.stdout, 'data')) as [Buffer];
  const theirs = JSON.parse(line.toString()) as number[];
  const ours = [await freePort(range), await freePort(range), await freePort(range)];
  assert.deepEqual([...ours, ...theirs].sort(), [19_001, 19_002, 19_004, 19_005, 19_006]);
  await assert.rejects(freePort(range), /no port between 19001 and 19006 is free/);
  other.kill('SIGKILL');
  await once(other, 'exit');
  const again = await until('a port of theirs is free', () => freePort(range).catch(() => null));
  assert.ok(theirs.includes(again));
});
