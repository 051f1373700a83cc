import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { houseRules, type Snippet } from './houseRules.ts';
import { missingPaths, readGuides } from './namedPaths.ts';
import { type Fault, readSources, sourceFile } from './sourceFile.ts';
import { topLevel, trackedFiles } from './topLevel.ts';

const sources = await readSources();

for (const { fact, rule, violations, clean } of houseRules) {
  test(fact, () => {
    assert.ok(sources.length > 50, 'the sources were not found');
    assert.deepEqual(rule(sources).map(inWords), []);
  });

  test(`it would be noticed unless ${fact}`, () => {
    for (const violation of violations) {
      const found = rule(filesOf(violation));
      assert.ok(found.length > 0, `nothing was found in ${JSON.stringify(violation)}`);
    }
    assert.deepEqual(rule(filesOf(clean)).map(inWords), []);
  });
}

test('every package that is locked has its hash, and none the host it came from', async () => {
  const file = path.resolve(import.meta.dirname, '../../package-lock.json');
  const lock = JSON.parse(await readFile(file, 'utf8')) as Lock;
  assert.ok(Object.keys(lock.packages).length > 50);
  assert.deepEqual(looseEntries(lock), []);
  const resolved = { integrity: 'sha512-x', resolved: 'https://registry.example/a.tgz' };
  const packages = { '': {}, 'node_modules/a': resolved, 'node_modules/b': {} };
  assert.deepEqual(looseEntries({ packages }), ['node_modules/a', 'node_modules/b']);
});

interface Lock {
  readonly packages: Readonly<Record<string, { integrity?: string; resolved?: string }>>;
}

function looseEntries({ packages }: Lock): string[] {
  const names = Object.keys(packages).filter((name) => name !== '');
  return names.filter((name) => {
    const { integrity = '', resolved } = packages[name] ?? {};
    return !integrity.startsWith('sha512-') || resolved !== undefined;
  });
}

test('the top of the repository holds what is listed and dotfiles', async (context) => {
  const tracked = await trackedFiles();
  if (tracked === null || tracked.length === 0) {
    context.skip('not run: this is no git checkout');
    return;
  }
  assert.deepEqual(topLevel(tracked).map(inWords), []);
});

test('a file too many at the top of the repository would be noticed', () => {
  const found = topLevel(['src/cli/main.ts', '.ci/run', 'notes.txt', 'scripts/a.ts']);
  assert.deepEqual(
    found.map(({ path }) => path),
    ['notes.txt', 'scripts'],
  );
});

test('README.md has at most 150 lines', async () => {
  const readme = (await readGuides()).find(({ path }) => path === 'README.md');
  assert.ok(readme && readme.text.split('\n').length <= 151);
});

test('every path that a guide names exists', async () => {
  const guides = await readGuides();
  for (const { path: guide, text } of guides) assert.ok(text.length > 1_000, guide);
  assert.deepEqual(guides.flatMap(missingPaths).map(inWords), []);
});

test('a path in a guide that does not exist would be noticed', () => {
  const missing = (name: string, text: string) => missingPaths({ path: name, text }).length;
  assert.equal(missing('ARCHITECTURE.md', 'see `src/nowhere/a.ts`'), 1);
  assert.equal(missing('CONTRIBUTING.md', 'they are in `nowhere.ts`, not in `startNode.ts`'), 1);
  assert.equal(missing('ARCHITECTURE.md', 'see [the pool](src/exec/nowhere.ts#L1)'), 1);
  assert.equal(missing('test/README.md', 'see [one](store/nowhere.test.ts) in test/nowhere'), 2);
  const text = 'see [it](../src/startNode.ts), `test/tidy`, test/run.ts. https://a.example/src/a';
  assert.equal(missing('test/README.md', text), 0);
});

function filesOf(snippet: Snippet) {
  return Object.entries(snippet).map(([path, text]) => sourceFile(path, text));
}

function inWords({ path, line, says }: Fault): string {
  return `${path}:${line} ${says}`;
}
