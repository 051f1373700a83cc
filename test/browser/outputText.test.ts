import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OutputText } from '../../src/page/output/outputText.ts';

const encoder = new TextEncoder();

test('of a line that is written over and over, the last is shown', () => {
  const output = new OutputText();
  for (let percent = 0; percent <= 3_000; percent += 1) {
    output.add(encoder.encode(`\r${percent} of 3000 files are copied`));
  }
  assert.equal(textOf(output), '3000 of 3000 files are copied');
  output.add(encoder.encode('\r\ndone\n'));
  assert.equal(textOf(output), '3000 of 3000 files are copied\ndone\n');
});

test('a line that does not end is shown as it comes, in pieces', () => {
  const output = new OutputText();
  for (let piece = 0; piece < 100; piece += 1) output.add(encoder.encode('x'.repeat(10_000)));
  const text = textOf(output);
  assert.ok(text.length > 900_000, `${text.length} characters`);
  assert.ok(Math.max(...text.split('\n').map(({ length }) => length)) <= 4_000);
});

function textOf({ blocks, open }: OutputText): string {
  return [...blocks.flat(), ...open].map(({ text }) => text).join('');
}
