import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatTook } from '../../../src/cli/output/formatTook.ts';
import { resultStrip, stripLegend } from '../../../src/cli/output/resultStrip.ts';
import { runResults } from '../../../src/domain/run/run.ts';

test('a strip has a character of its own for each result, the latest at the right', () => {
  const strip = resultStrip(runResults.map((result) => ({ result })));
  assert.equal(strip, 'M-NLSTF+');
  assert.equal(new Set(strip).size, runResults.length);
  assert.equal(resultStrip([]), '-');
  for (const result of runResults) assert.ok(stripLegend().includes(` ${result}`), result);
});

test('how long a run took is read in seconds, and above a minute in its parts', () => {
  const rows: [number | null, string][] = [
    [null, '-'],
    [0, '0.000s'],
    [59_999, '59.999s'],
    [60_400, '1m'],
    [3_723_499, '1h2m3s'],
  ];
  for (const [durationMs, text] of rows) assert.equal(formatTook(durationMs), text);
});
