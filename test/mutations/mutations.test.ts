import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { editsOf, type Mutation, promises } from './mutation.ts';
import { mutations } from './mutations.ts';
import { applyEdit, root } from './privateCopy.ts';
import { mutationTable, withTable } from './table.ts';
import { type Tried, tryMutations } from './tryMutations.ts';

const read = (file: string) => readFile(path.join(root, file), 'utf8');

describe('the mutations', () => {
  test('each still applies to the code as it is, and names a test that is there', async () => {
    const faults: string[] = [];
    for (const mutation of mutations) {
      const { id, test: named } = mutation;
      for (const edit of editsOf(mutation)) {
        try {
          applyEdit(await read(edit.file), edit);
        } catch (error) {
          faults.push(`${id}: ${(error as Error).message}`);
        }
      }
      const text = await read(named.file).catch(() => '');
      if (!text.includes(named.title)) faults.push(`${id}: no test is called ${named.title}`);
    }
    assert.deepEqual(faults, []);
  });

  test('each has an id of its own that begins with its promise, and each promise one', () => {
    const ids = mutations.map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    for (const { id, promise } of mutations) assert.match(id, new RegExp(`^${promise}-[a-z-]+$`));
    const kept = new Set(mutations.map(({ promise }) => promise));
    assert.deepEqual(
      Object.keys(promises).filter((number) => !kept.has(number as keyof typeof promises)),
      [],
    );
  });

  test('the table in test/README.md is the one that is written from them', async () => {
    const text = await read('test/README.md');
    const hint = 'run: npm run mutations -- --write-table';
    assert.equal(text, withTable(text, mutationTable(mutations)), hint);
  });

  test('quick ones are caught, what harms nobody survives, and what is no failure counts not', {
    timeout: 280_000,
  }, async (t) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'statecron-mutations-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const quick = ['P9-counter-stands', 'P16-output-unbounded', 'P8-lease-from-receipt'];
    const chosen = quick.map((id) => mutations.find((each) => each.id === id) as Mutation);
    const tried = await tryMutations([...chosen, ...doubtful], {
      folder,
      copies: 2,
      env: {},
      signal: t.signal,
      onTried: ({ mutation, verdict, says }: Tried) =>
        t.diagnostic(`${mutation.id}: ${verdict}: ${says}`),
    });
    const verdicts = new Map(tried.map(({ mutation, verdict }) => [mutation.id, verdict]));
    assert.deepEqual(Object.fromEntries(verdicts), {
      ...Object.fromEntries(quick.map((id) => [id, 'caught'])),
      harmless: 'survived',
      'syntax error': 'unclear',
      'wrong way': 'unclear',
      'no such test': 'broken',
    });
    const { file, find } = chosen[0] as Mutation;
    assert.ok((await read(file)).includes(find), 'the working tree is as it was');
  });
});

/** What must not be taken for a mutation that a test has caught. */
const base: Mutation = {
  id: 'harmless',
  promise: 'P9',
  what: 'a name of no meaning is another',
  file: 'src/domain/run/launchId.ts',
  find: 'let counter = 0;',
  replace: 'let counter = 100;',
  test: { file: 'test/unit/run/launchId.test.ts', title: 'no launch id of a session comes twice' },
  why: 'it would not',
};
const doubtful: readonly Mutation[] = [
  base,
  { ...base, id: 'syntax error', replace: 'let counter = ;' },
  { ...base, id: 'wrong way', replace: "throw new Error('out of the way');" },
  { ...base, id: 'no such test', test: { ...base.test, title: 'no such title as this' } },
];
