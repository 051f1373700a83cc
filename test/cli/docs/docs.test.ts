import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { pageText } from '../../../src/cli/docs/pageText.ts';
import { readGuide } from '../../../src/http/guide/guide.ts';
import { readMarkdown } from '../../../src/http/guide/readMarkdown.ts';
import { askCli } from '../askCli.ts';

test('docs lists every page of docs with a line on it', async () => {
  const { code, stdout } = await askCli(['docs', '--json']);
  assert.equal(code, 0);
  const listed = JSON.parse(stdout) as { topic: string; summary: string }[];
  const folder = path.resolve(import.meta.dirname, '../../../docs');
  const pages = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'README.md');
  assert.deepEqual(listed.map(({ topic }) => `${topic}.md`).sort(), pages.sort());
  assert.deepEqual(
    listed.filter(({ summary }) => summary === ''),
    [],
  );
});

test('docs TOPIC is plain text when it is piped, and the page as written in JSON', async () => {
  const page = await askCli(['docs', 'schedules']);
  assert.equal(page.code, 0);
  assert.match(page.stdout, /^Schedules\n=========\n/);
  assert.equal(page.stdout, stripVTControlCharacters(page.stdout));
  const { stdout } = await askCli(['docs', 'schedules.md', '--json']);
  assert.match((JSON.parse(stdout) as { text: string }).text, /^# Schedules\n/);
});

test('the beginning of a topic is enough where only one begins so', async () => {
  const begun = await askCli(['docs', 'mov']);
  assert.match(begun.stdout, /^Moving from cron\n/);
  assert.equal((await askCli(['docs', 'p'])).code, 2, 'production, performance');
});

test('what people call a first page is the one that one begins with', async () => {
  for (const name of ['quickstart', 'getting-started', 'README.md', 'tour']) {
    assert.match((await askCli(['docs', name])).stdout, /^Install\n/, name);
  }
});

test('the page about crontabs is found by what they are called', async () => {
  for (const name of ['cron', 'crontab']) {
    assert.match((await askCli(['docs', name])).stdout, /^Moving from cron\n/, name);
  }
});

test('a page that is not there is a mistake, and the hint has the pages', async () => {
  const { code, stderr } = await askCli(['docs', 'shedules']);
  assert.equal(code, 2);
  assert.match(
    stderr,
    /^statecron: There is no page "shedules"\. Did you mean "schedules"\?\nhint: .*schedules, /,
  );
});

for (const { name, text } of readGuide().topics) {
  test(`the page ${name} fits a terminal of 80 columns, with colours and without`, () => {
    for (const isStyled of [true, false]) {
      const shown = pageText(readMarkdown(text), 80, isStyled);
      const lines = stripVTControlCharacters(shown).split('\n');
      // Code, and words of more than 30 letters, are shown as they are.
      const wide = lines.filter((line) => line.length > 80 && !/^ {4}|\S{31}/.test(line));
      assert.deepEqual(wide, []);
      if (!isStyled) assert.equal(shown, stripVTControlCharacters(shown));
    }
  });
}

test('a table is as narrow as its longest words allow, and says all of them', () => {
  const table = '| name | what |\n| --- | --- |\n| `--one-flag` | several words and **more** |\n';
  assert.equal(
    pageText(readMarkdown(table), 24, false),
    `name        what
----------  ------------
--one-flag  several
            words and
            more
`,
  );
});
