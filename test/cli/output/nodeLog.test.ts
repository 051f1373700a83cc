import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { noTerminal } from '../onTerminal.ts';

const run = promisify(execFile);
const file = fileURLToPath(new URL('../../../src/cli/output/nodeLog.ts', import.meta.url));
const code = `import(${JSON.stringify(file)}).then(({ nodeLog }) => {
  nodeLog.info('it serves');
  nodeLog.warn('a\\u001b[2Jb');
})`;
const args = ['--import', import.meta.resolve('tsx'), '-e', code];
const env = { ...process.env, TZ: 'Asia/Tokyo' };

test('a line of the log is JSON with the time in UTC where there is no terminal', async () => {
  const { stderr, stdout } = await run(process.execPath, args, { env });
  assert.equal(stdout, '');
  const [first, second, ...rest] = stderr.split('\n');
  const { time, ...serves } = JSON.parse(first ?? '');
  assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.ok(Math.abs(Date.parse(time) - Date.now()) < 3_600_000);
  assert.deepEqual(serves, { level: 30, msg: 'it serves' });
  assert.equal(JSON.parse(second ?? '').level, 40);
  assert.doesNotMatch(stderr, /[^\P{Cc}\n]/u);
  assert.deepEqual(rest, ['']);
});

test('on a terminal it has the time of its zone', { skip: noTerminal }, async () => {
  const line = [process.execPath, ...args].map((arg) => `'${arg.replaceAll("'", `'\\''`)}'`);
  const { stdout } = await run('script', ['-qc', line.join(' '), '/dev/null'], { env });
  const [first, second] = stdout.split('\r\n');
  assert.match(first ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+09:00 it serves$/);
  assert.match(second ?? '', /\+09:00 ! a\\x1b\[2Jb$/);
});
