import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { formatWithOptions } from 'node:util';
import { readDatabaseUrl } from '../../src/store/connection/databaseAddress.ts';
import { createMigratedDatabase } from '../support/createDatabase.ts';
import { docPage } from '../support/docPages.ts';

const root = path.resolve(import.meta.dirname, '../..');
const { exports } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, { default?: string }>;
};
const page = docPage('library');
/** Each example with what the page says that it prints. */
const examples = [...page.matchAll(/```ts\n(.*?)```.*?```text\n(.*?)```/gs)].map(
  ([, source = '', printed = '']) => ({ source, printed }),
);

test('the page on the library has an example of every module that is exported', () => {
  const names = Object.keys(exports).filter((name) => name !== './package.json');
  const missing = names.filter((name) => {
    const imported = `from 'statecron${name.slice(1).replace('*', '')}`;
    return !examples.some(({ source }) => source.includes(imported));
  });
  assert.deepEqual([missing, examples.length > 0], [[], true]);
});

for (const [index, { source, printed }] of examples.entries()) {
  test(`example ${index + 1} of the page on the library prints what the page says`, async (t) => {
    const own = source.includes('startNode') ? await withDatabase(t, source) : source;
    assert.equal(await printedBy(t, own), printed);
  });
}

/** The example with a database that is there. */
async function withDatabase(t: TestContext, source: string): Promise<string> {
  const url = await createMigratedDatabase(t, 'mariadb');
  const address = JSON.stringify(readDatabaseUrl(url));
  const own = source.replace(/database: \{.*?\n {2}\},/s, `database: ${address},`);
  assert.notEqual(own, source);
  return own;
}

/** Runs an example as a module whose imports are the sources of what the package exports. */
async function printedBy(t: TestContext, source: string): Promise<string> {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'statecron-library-')), 'example.mts');
  t.after(() => rmSync(path.dirname(file), { recursive: true }));
  writeFileSync(
    file,
    source.replace(/from 'statecron(.*?)'/g, (_, name: string) => `from '${sourceOf(`.${name}`)}'`),
  );
  const lines: string[] = [];
  t.mock.method(console, 'log', (...what: unknown[]) => lines.push(formatWithOptions({}, ...what)));
  await import(pathToFileURL(file).href);
  return lines.map((line) => `${line}\n`).join('');
}

function sourceOf(name: string): string {
  const chart = /^\.\/statecharts\/(.+)$/.exec(name)?.[1];
  const built = exports[chart === undefined ? name : './statecharts/*']?.default;
  assert.ok(built !== undefined, `${name} is not exported`);
  const source = built
    .replace('./dist/', '')
    .replace('*', chart ?? '')
    .replace(/\.js$/, '.ts');
  return pathToFileURL(path.join(root, source)).href;
}
