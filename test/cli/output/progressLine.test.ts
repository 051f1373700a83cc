import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatCount, ProgressLine } from '../../../src/cli/output/progressLine.ts';

test('progress is shown on a terminal twice a second, taken away, and nowhere else', () => {
  let atMs = 0;
  const written: string[] = [];
  const terminal = { isTTY: true, write: (text: string) => written.push(text) };
  const progress = new ProgressLine(terminal, () => atMs);
  for (atMs = 0; atMs <= 1_300; atMs += 100) {
    progress.show(() => `verified ${formatCount(atMs * 10)} rows`);
  }
  progress.end();
  assert.deepEqual(written, [
    '\rverified 5,000 rows, 1 s\x1b[K',
    '\rverified 10,000 rows, 1 s\x1b[K',
    '\r\x1b[K',
  ]);
  written.length = 0;
  const file = new ProgressLine({ ...terminal, isTTY: false }, () => atMs);
  atMs += 10_000;
  file.show(() => 'verified 1 row');
  file.end();
  assert.deepEqual(written, []);
});

test('a line that says the same is not written again, nor erased where there is none', () => {
  let atMs = 0;
  const written: string[] = [];
  const terminal = { isTTY: true, write: (text: string) => written.push(text) };
  const progress = new ProgressLine(terminal, () => atMs);
  for (atMs = 600; atMs <= 1_400; atMs += 200) progress.show(() => 'job: running');
  progress.end();
  progress.end();
  atMs = 2_400;
  progress.show(() => 'job: running');
  const [once, erased] = ['\rjob: running, 1 s\x1b[K', '\r\x1b[K'];
  assert.deepEqual(written, [once, erased, '\rjob: running, 2 s\x1b[K']);
});
