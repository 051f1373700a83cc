import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  columnGap,
  fitColumns,
  type TextColumn,
} from '../../../../src/cli/output/table/fitColumns.ts';
import { cutToWidth, textWidth } from '../../../../src/cli/output/table/textWidth.ts';

const columns: readonly TextColumn[] = [
  { heading: 'WHEN', cells: [['2030-01-31 09:30:00 +01:00', '3 min ago']] },
  { heading: 'JOB', cells: [['a-job-with-a-long-name']], widthMin: 12 },
  { heading: 'NODE', cells: [['web1']], rank: 2 },
  { heading: 'RUN', cells: [['s0123456789abcdef01234567:17', '4711']], rank: 1 },
];

function fit(width: number): string {
  const fitted = fitColumns(columns, width);
  const total = fitted.reduce((sum, each) => sum + each.width + columnGap, -columnGap);
  assert.ok(total <= width, `${total} of ${width}`);
  return fitted.map(({ index, level, width: own }) => `${index}/${level}/${own}`).join(' ');
}

test('a narrow table shortens texts, cuts, and leaves out the least important columns', () => {
  assert.equal(fit(Number.POSITIVE_INFINITY), '0/0/26 1/0/22 2/0/4 3/0/28');
  assert.equal(fit(86), '0/0/26 1/0/22 2/0/4 3/0/28');
  assert.equal(fit(80), '0/0/26 1/0/22 2/0/4 3/1/4');
  assert.equal(fit(60), '0/0/26 1/0/20 2/0/4 3/1/4');
  assert.equal(fit(40), '0/1/9 1/0/17 2/0/4 3/1/4');
  assert.equal(fit(30), '0/1/9 1/0/13 3/1/4');
  assert.equal(fit(23), '0/1/9 1/0/12');
});

test('the width of a text is what a terminal takes for it', () => {
  const texts = ['abc', '日本', '한국', 'é', 'e\u0301', '👩‍👧', '❤️', 'ｆ', 'a\u200b'];
  assert.deepEqual(texts.map(textWidth), [3, 4, 4, 1, 1, 2, 2, 2, 1]);
  assert.equal(cutToWidth('日本語の名', 6), '日本…');
  assert.equal(cutToWidth('abcdef', 6), 'abcdef');
});
