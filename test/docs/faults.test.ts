import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { faultKinds } from '../fault/faults/faultKinds.ts';
import { docPage } from '../support/docPages.ts';

const page = docPage('faults').replaceAll(/\s+/g, ' ');

test('the page on faults has every kind that can be dealt', () => {
  const missing = faultKinds().filter(({ kind }) => {
    // `reply lost at a batch`: what is done, and where, each once.
    const [what = '', where] = kind.split(/ (?=at a)/);
    return !page.includes(what) || (where !== undefined && !page.includes(where));
  });
  assert.deepEqual(
    missing.map(({ kind }) => kind),
    [],
  );
});

test('the page on faults has every rule of the judge, and no other', () => {
  const rules = path.resolve(import.meta.dirname, '../checkers/rules');
  const texts = readdirSync(rules).map((name) => readFileSync(path.join(rules, name), 'utf8'));
  const known = texts.join('\n').matchAll(/rule: '(C\d+)'/g);
  const told = page.matchAll(/\| (C\d+) \|/g);
  const numbers = (found: Iterable<RegExpMatchArray>) =>
    [...new Set([...found].map(([, rule = '']) => rule))].sort();
  assert.deepEqual(numbers(told), numbers(known));
});
