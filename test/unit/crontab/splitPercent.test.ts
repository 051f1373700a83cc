import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { splitPercent } from '../../../src/domain/crontab/readJobLine.ts';

const cases: readonly (readonly [string, string, string | null])[] = [
  ['true', 'true', null],
  ['date +\\%F', 'date +%F', null],
  ['mail x%Hello%World', 'mail x', 'Hello\nWorld\n'],
  ['mail x%Hello%', 'mail x', 'Hello\n'],
  ['mail x%', 'mail x', ''],
  ['mail x%%', 'mail x', '\n'],
  ['cat%100\\% done', 'cat', '100% done\n'],
  ['a\\\\%b', 'a\\\\', 'b\n'],
  ['a\\b%c\\d', 'a\\b', 'c\\d\n'],
  ['a\\', 'a\\', null],
  ['cat%x\\', 'cat', 'x\\\n'],
  ['echo 🎉\\%%🎉', 'echo 🎉%', '🎉\n'],
];

for (const [text, command, stdin] of cases) {
  test(`${JSON.stringify(text)} is split as cronie does`, () => {
    assert.deepEqual(splitPercent(text), { command, stdin });
  });
}

test('a text without percent signs is the command, whatever it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      fc.pre(!text.includes('%'));
      assert.deepEqual(splitPercent(text), { command: text, stdin: null });
    }),
  );
});

test('escaping every percent sign keeps them all in the command', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '%', ' ') }), (text) => {
      const { command, stdin } = splitPercent(text.replaceAll('%', '\\%'));
      assert.equal(command, text);
      assert.equal(stdin, null);
    }),
  );
});
