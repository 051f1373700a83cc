import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escapeControls } from '../../../src/cli/output/escapeControls.ts';

test('what would move the cursor is shown, a tab and a line end as people write them', () => {
  assert.equal(escapeControls('a\tb\nc\r'), 'a\\tb\\nc\\r');
  assert.equal(escapeControls('\u001b[2J\u0000'), '\\x1b[2J\\x00');
  assert.equal(escapeControls('\u202eü€'), '\\u202eü€');
});
