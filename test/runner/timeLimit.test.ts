import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';

const root = path.resolve(import.meta.dirname, '../..');
/** Tells of each timer that is longer than a test may be silent. */
const preload = `const { setTimeout } = globalThis;
  globalThis.setTimeout = (call, ms, ...rest) => {
    if (ms > 10 * 60_000) console.log('ends after ' + ms + ' ms');
    return setTimeout(call, ms, ...rest);
  };`;

test('npm test ends no run for how long it takes, however busy the machine is', async () => {
  const args = ['--import', `data:text/javascript,${encodeURIComponent(preload)}`];
  const said = await new Promise<string>((resolve) => {
    const program = [...args, '--import', 'tsx', 'test/run.ts', 'nothing of this name'];
    execFile(process.execPath, program, { cwd: root }, (_, out, errors) => resolve(out + errors));
  });
  assert.match(said, /nothing of this name/, 'it began');
  assert.doesNotMatch(said, /ends after/);
});
