import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { seconds } from '../runner/screen.ts';
import { chooseByCommit } from '../support/chooseByCommit.ts';
import { readFlags } from '../support/readFlags.ts';
import { serverVariables, startTestServer } from '../support/startTestServer.ts';
import type { Mutation } from './mutation.ts';
import { mutations } from './mutations.ts';
import { root } from './privateCopy.ts';
import { mutationTable, withTable } from './table.ts';
import { type Tried, tryMutations } from './tryMutations.ts';

const help = `Breaks the code on purpose, in a copy, and sees the tests fail that ought to.

npm run mutations                    all of them
npm run mutations -- P8 P10-twice    those of a promise, or one by its id
  --list                             what there is, without running anything
  --json                             the result as JSON
  --copies <number>                  how many tests run at once (2)
  --of-commit <number>               so many of them, chosen by the commit that is checked out
  --write-table                      write the table in test/README.md anew`;

const { values, positionals } = readFlags(
  {
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      copies: { type: 'string', default: '2' },
      'of-commit': { type: 'string' },
      'write-table': { type: 'boolean', default: false },
    },
  },
  help,
);

const part = values['of-commit'];
const chosen =
  part === undefined
    ? choose(positionals)
    : chooseByCommit(choose(positionals), ({ id }) => id, Number(part));
if (values.help) console.log(help);
else if (values['write-table']) await writeTable();
else if (values.list) for (const { id, what } of chosen) console.log(`${id.padEnd(28)} ${what}`);
else process.exitCode = await runAll();

function choose(words: readonly string[]): Mutation[] {
  const unknown = words.filter((word) => !mutations.some((each) => isMeant(each, word)));
  if (unknown.length > 0) {
    console.error(`There is no mutation ${unknown.join(', ')}. See: npm run mutations -- --list`);
    process.exit(2);
  }
  return mutations.filter((each) => words.length === 0 || words.some((w) => isMeant(each, w)));
}

function isMeant({ id, promise }: Mutation, word: string): boolean {
  return id === word || promise === word.toUpperCase();
}

async function writeTable(): Promise<void> {
  const file = path.join(root, 'test/README.md');
  const text = await readFile(file, 'utf8');
  await writeFile(file, withTable(text, mutationTable(mutations)));
}

async function runAll(): Promise<number> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const folder = await mkdtemp(path.join(os.tmpdir(), 'statecron-mutations-'));
  const startedAt = performance.now();
  const server = await startTestServer('mariadb');
  try {
    const tried = await tryMutations(chosen, {
      folder,
      copies: Number(values.copies),
      env: {
        [serverVariables.mariadb]: server.url,
        STATECRON_TEST_MYSQL_MISSING: 'mutations are tried on MariaDB alone',
      },
      signal: stop.signal,
      onTried: (each) => values.json || printTried(each),
    });
    const isGood = tried.every(({ verdict }) => verdict === 'caught' || verdict === 'not run');
    if (values.json) console.log(JSON.stringify(tried.map(jsonOf), null, 2));
    else printSum(tried, performance.now() - startedAt);
    return isGood && !stop.signal.aborted ? 0 : 1;
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function printTried({ mutation, verdict, says, ms }: Tried): void {
  const mark = verdict === 'caught' ? '✔' : verdict === 'not run' ? '-' : '✖';
  console.log(`${mark} ${mutation.id.padEnd(28)} ${verdict.padEnd(9)} ${seconds(ms)}  ${says}`);
  if (verdict === 'caught' || verdict === 'not run') return;
  console.log(`  ${mutation.what}\n  ${mutation.test.file}: ${mutation.test.title}`);
}

function printSum(tried: readonly Tried[], ms: number): void {
  const counts = new Map<string, number>();
  for (const { verdict } of tried) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  const words = [...counts].map(([verdict, count]) => `${count} ${verdict}`).join(', ');
  console.log(`\n${tried.length} mutations: ${words}, in ${seconds(ms)}`);
}

function jsonOf({ mutation, verdict, says, ms }: Tried) {
  const { id, promise, what, why, file, test } = mutation;
  return { id, promise, what, why, file, test, verdict, says, ms: Math.round(ms) };
}
