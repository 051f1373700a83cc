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
    '\r\x1b[Kverified 5,000 rows, 1 s',
    '\r\x1b[Kverified 10,000 rows, 1 s',
    '\r\x1b[K',
  ]);
  written.length = 0;
  const file = new ProgressLine({ ...terminal, isTTY: false }, () => atMs);
  atMs += 10_000;
  file.show(() => 'verified 1 row');
  file.end();
  assert.deepEqual(written, []);
});
