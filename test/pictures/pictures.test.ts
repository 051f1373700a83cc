import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { docPages } from '../support/docPages.ts';
import { bytesMax, pictures, pixelsEach } from './pictureTable.ts';
import { sizeOfPng } from './smallerPng.ts';

const folder = path.resolve(import.meta.dirname, '../../docs/pictures');
const pages = new Map(docPages().map(({ path: file, text }) => [file, text]));

test('the pictures are those of the table, of its sizes, and small together', () => {
  const names = readdirSync(folder).sort();
  assert.deepEqual(names, Object.keys(pictures).sort(), 'npm run pictures takes them anew');
  let bytes = 0;
  for (const [name, { height, width }] of Object.entries(pictures)) {
    const file = readFileSync(path.join(folder, name));
    const wanted = { width: width * pixelsEach, height: height * pixelsEach };
    assert.deepEqual(sizeOfPng(file), wanted, name);
    bytes += file.length;
  }
  assert.ok(bytes <= bytesMax, `${bytes} bytes`);
});

test('each picture is shown, with words for who does not see it', () => {
  const readme = pages.get('README.md') ?? '';
  const dark = /<source media="\(prefers-color-scheme: dark\)" srcset="docs\/pictures\/(.*?)">/;
  const light = /<img src="docs\/pictures\/(.*?)" alt="[^"]{20,}">/;
  const inPages = [...pages.values()].flatMap((text) => [
    ...text.matchAll(/!\[[^\]]{20,}\]\(pictures\/(.*?)\)/g),
  ]);
  const shown = [dark.exec(readme), light.exec(readme), ...inPages].map((found) => found?.[1]);
  assert.deepEqual(shown.sort(), Object.keys(pictures).sort());
});
