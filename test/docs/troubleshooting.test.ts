import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { docPage } from '../support/docPages.ts';

const source = path.resolve(import.meta.dirname, '../../src');
/** All strings of the sources, those put together with + as one. */
const texts = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(path.join(source, name), 'utf8'))
  .join('\n')
  .replace(/(['"`])\s*\+\s*(['"`])/g, '')
  .replace(/\\n/g, ' ');
const printed = [...docPage('troubleshooting').matchAll(/```text\n(.*?)```/gs)].flatMap(
  ([, block = '']) => block.trimEnd().split('\n'),
);

test('every text of the page on troubleshooting stands in the sources', () => {
  assert.ok(printed.length > 40, `${printed.length}`);
  assert.deepEqual(
    printed.filter((line) => !isPrinted(line)),
    [],
  );
});

test('a text that is not printed would be noticed', () => {
  assert.equal(isPrinted('its node was lost while it ran'), true);
  assert.equal(isPrinted('its node was lost while it walked'), false);
  assert.equal(isPrinted('The schema of the database is … than this tool: …'), false);
});

/** What stands between names and numbers (…), each piece that has words in it. */
function isPrinted(line: string): boolean {
  const pieces = line.split('…').map((piece) => piece.replace(/^[\s:;,.()]+|[\s:;,.()]+$/g, ''));
  return pieces.every((piece) => texts.includes(piece));
}
