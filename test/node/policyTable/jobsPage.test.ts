import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { jobFields } from '../../../src/domain/job/fields.ts';
import { runCli } from '../../cli/runCli.ts';
import { docPage } from '../../support/docPages.ts';
import { makeStoreWorld } from '../../support/storeWorld.ts';
import { absenceRows } from './absenceRows.ts';
import { lossRows } from './lossRows.ts';
import { oneNodeRows } from './oneNodeRows.ts';
import { placeRows } from './placeRows.ts';

/** What stands in docs/jobs.md about each field, up to the next heading. */
function fieldTables(): string {
  const [, rest = ''] = docPage('jobs').split('\n## What each field does\n');
  return rest.split('\n## ', 1)[0] ?? '';
}

/** `| WORD | VALUE | WHAT HAPPENS |` without the marks of code, as the tests are called. */
function titlesOf(text: string): string[] {
  const cells = text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (field|---) /.test(line))
    .map((line) => line.replaceAll('`', '').split('|').slice(1, -1));
  return cells.map(([word = '', value = '', happens = '']) => {
    const head = `${word.trim()} ${value.trim()}`.trim();
    return `${head}: ${happens.trim()}`;
  });
}

test('every row of the table in docs/jobs.md is a test here, and every test a row', () => {
  const tests = [...oneNodeRows, ...absenceRows, ...placeRows, ...lossRows];
  const titles = titlesOf(fieldTables());
  assert.deepEqual(titles.sort(), tests.map(({ title }) => title).sort());
  assert.equal(new Set(titles).size, titles.length);
});

test('the table in docs/jobs.md names fields, and every choice of those that it names', () => {
  const cells = titlesOf(fieldTables()).map((title) => title.split(': ', 1)[0]);
  for (const field of jobFields) {
    const values = cells.flatMap((cell) => {
      const [flag, value = ''] = (cell ?? '').split(/ (?=\S)/);
      return flag === field.flag ? value.replace(/,$/, '') : [];
    });
    if (field.kind !== 'choice' || values.length === 0) continue;
    assert.deepEqual([...new Set(values)].sort(), Object.keys(field.choices).sort(), field.flag);
  }
  const flags = new Set(jobFields.map(({ flag }) => flag));
  const named = cells.flatMap((cell) => /^[a-z-]+(?=,| |$)/.exec(cell ?? '') ?? []);
  const foreign = named.filter((word) => !flags.has(word) && !notOfJobs.has(word));
  assert.deepEqual(foreign, []);
});

/** How the rows begin that are about nodes and commands. */
const notOfJobs = new Set(['no', 'level', 'limit', 'job', 'backfill', 'run']);

test('the file of jobs in docs/files.md is applied, and comes back as it was', async (t) => {
  const { url } = await makeStoreWorld(t, 'mariadb');
  const [, yaml = ''] = docPage('files').split('```yaml\n');
  const file = join(tmpdir(), `statecron-docs-${process.pid}.yaml`);
  writeFileSync(file, yaml.split('```', 1)[0] ?? '');
  const first = await runCli(['apply', file], { url });
  assert.equal(first.code, 0, first.stderr);
  const exported = await runCli(['export', '--group', 'web'], { url });
  assert.match(exported.stdout, /after:.*fetch:failure/s);
  for (const args of [
    ['apply', file],
    ['apply', '-', '--format', 'yaml'],
  ]) {
    const again = await runCli([...args, '--json'], { url, input: exported.stdout });
    assert.equal(again.code, 0, again.stderr);
    const { plan } = JSON.parse(again.stdout) as { plan: { action: string }[] };
    assert.deepEqual(
      plan.map(({ action }) => action),
      ['unchanged', 'unchanged'],
    );
  }
});
