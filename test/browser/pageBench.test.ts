import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { skip } from './browserProgram.ts';

const run = promisify(execFile);
const main = path.resolve(import.meta.dirname, '../bench/main.ts');

test('the bench of the page measures each of its figures', { skip }, async () => {
  const args = ['--import', 'tsx', main, 'page', '--small', '--json'];
  const { stdout } = await run(process.execPath, args);
  const { jobs, sizes, firstPaint, scrolling, events, idle, openPages } = JSON.parse(stdout);
  assert.equal(jobs, 300);
  const counted = [
    ...[sizes.firstKb, sizes.allKb, firstPaint.ms.p50, scrolling.frames, scrolling.rows],
    ...[events.perSecond, events.heapMb.last, ...openPages.requests, openPages.answered],
  ];
  for (const [place, figure] of counted.entries()) assert.ok(figure > 0, `${place}: ${stdout}`);
  // In a second or two these may be nothing.
  const small = [scrolling.workMs.p50, idle.percentOfCore, openPages.latenessP99Ms.beside];
  for (const figure of small) assert.equal(typeof figure, 'number', stdout);
  assert.deepEqual(openPages.faults, {});
});
