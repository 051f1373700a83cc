import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { jobFields, pauseFields } from '../../src/domain/job/fields.ts';
import { type Block, readMarkdown } from '../../src/http/guide/readMarkdown.ts';
import type { Span } from '../../src/http/guide/readSpans.ts';
import { docPage, docPages } from '../support/docPages.ts';
import { generatedPages } from './generatedPages.ts';

const root = path.resolve(import.meta.dirname, '../..');
const others = [
  ...['ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
  ...['statecharts/README.md', 'test/README.md'],
];
const pages = [
  ...docPages(),
  ...others.map((name) => ({ path: name, text: readFileSync(path.join(root, name), 'utf8') })),
];

test('no link of a page is dead, neither to a file nor to a heading', () => {
  const dead = pages.flatMap((page) =>
    linksOf(readMarkdown(page.text))
      .filter((to) => !/^[a-z]+:/.test(to) && !leads(page.path, to))
      .map((to) => `${page.path}: ${to}`),
  );
  assert.deepEqual(dead, []);
});

test('a dead link would be noticed', () => {
  assert.equal(leads('docs/jobs.md', 'nowhere.md'), false);
  assert.equal(leads('docs/jobs.md', 'files.md#nowhere'), false);
  assert.equal(leads('docs/jobs.md', '#all-fields'), true);
  assert.deepEqual(linksOf(readMarkdown('- [a](b.md) `[c](d)`\n\n| [e](f#g) |\n')), [
    'b.md',
    'f#g',
  ]);
});

test('no line of the pages is wider than 120 columns, and README.md has 150 at most', () => {
  const wide = docPages().flatMap(({ path: file, text }) =>
    text.split('\n').flatMap((line, at) => ([...line].length > 120 ? [`${file}:${at + 1}`] : [])),
  );
  assert.deepEqual(wide, []);
  const readme = pages.find(({ path: file }) => file === 'README.md');
  assert.ok((readme?.text.trimEnd().split('\n').length ?? 0) <= 150);
});

test('the pages have all fields and all commands with their flags: npm run docs', async () => {
  for (const [name, text] of Object.entries(await generatedPages())) {
    assert.ok(docPage(name) === text, `docs/${name}.md is to be written anew by: npm run docs`);
  }
  const jobs = docPage('jobs');
  const missing = [...jobFields, ...pauseFields].filter(({ flag }) => !jobs.includes(`\`${flag}`));
  assert.deepEqual(missing, []);
});

function leads(from: string, to: string): boolean {
  const [file = '', anchor] = to.split('#');
  const target = file === '' ? from : path.posix.join(path.posix.dirname(from), file);
  if (!existsSync(path.join(root, target))) return false;
  if (anchor === undefined || !target.endsWith('.md')) return true;
  const blocks = readMarkdown(readFileSync(path.join(root, target), 'utf8'));
  return blocks.some((block) => block.kind === 'heading' && block.id === anchor);
}

function linksOf(blocks: readonly Block[]): string[] {
  return blocks.flatMap((block) => {
    if (block.kind === 'quote') return linksOf(block.blocks);
    if (block.kind === 'list') return block.items.flatMap(linksOf);
    if (block.kind === 'table') return [block.headings, ...block.rows].flat().flatMap(linksIn);
    return block.kind === 'code' ? [] : linksIn(block.spans);
  });
}

function linksIn(spans: readonly Span[]): string[] {
  return spans.flatMap((span) => {
    if (span.kind === 'image') return [span.from];
    if (span.kind === 'link') return [span.to, ...linksIn(span.spans)];
    return 'spans' in span ? linksIn(span.spans) : [];
  });
}
