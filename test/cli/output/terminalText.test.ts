import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TerminalText } from '../../../src/cli/output/terminalText.ts';

const clipboard = '\x1b]52;c;ZXZpbA==\x07';

test('a piece that is cut anywhere comes out as the whole does', () => {
  const bytes = Buffer.from(`ü\x1b[1;31mred${clipboard}\r\nnext\rback\x1b[2J\u009b\u202e`);
  const whole = new TerminalText();
  const wanted = whole.take(bytes) + whole.end();
  const shown = '\\x1b]52;c;ZXZpbA==\\x07\r\nnext\\rback\\x1b[2J\\x9b\\u202e';
  assert.equal(wanted, `ü\x1b[1;31mred${shown}\x1b[0m`);
  for (let at = 0; at <= bytes.length; at += 1) {
    const text = new TerminalText();
    assert.equal(
      text.take(bytes.subarray(0, at)) + text.take(bytes.subarray(at)) + text.end(),
      wanted,
    );
  }
  const unended = new TerminalText();
  assert.equal(unended.take(Buffer.from('a\x1b[')) + unended.end(), 'a\\x1b[');
});
