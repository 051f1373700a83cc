import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { parseSource } from '../tidy/syntax.ts';
import { chartedMachines } from './chartedMachines.ts';
import { extractMachines, plainConfig, plainTree } from './extractMachine.ts';
import { importableFormFaults } from './importableForm.ts';

const folder = path.resolve(import.meta.dirname, '../../statecharts');

test('every module in statecharts is a machine that is drawn', async () => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.ts')).sort();
  assert.deepEqual(names, chartedMachines.map(({ id }) => `${id}.ts`).sort());
});

for (const machine of chartedMachines) {
  test(`the source of ${machine.id} has the form that Stately's editor imports`, async () => {
    assert.deepEqual(importableFormFaults(await readTree(machine.id)), []);
  });

  test(`the literal in the source of ${machine.id} is the config that runs`, async () => {
    const [extracted] = extractMachines(await readTree(machine.id));
    assert.ok(extracted !== undefined, 'no machine was found in the source');
    assert.deepEqual(plainTree(extracted.literal), plainConfig(machine.config));
  });
}

const wrap = (literal: string, before = '') =>
  `${before}\nexport const aMachine = setup({}).createMachine({ id: 'a', ${literal} });`;

const violations: Readonly<Record<string, string>> = {
  'a value import of our own': wrap("description: 'x'", "import { b } from './b.ts';"),
  'a config that is not a literal': 'export const aMachine = setup({}).createMachine(config);',
  'a machine without setup': "export const aMachine = createMachine({ id: 'a' });",
  'a constant of another name': wrap("description: 'x'").replace('aMachine', 'bMachine'),
  'a state without a description': wrap("description: 'x', states: { b: {} }"),
  'an invoke without onError': wrap("description: 'x', invoke: { id: 'b', src: 'c', onDone: 'd' }"),
  'an inline action': wrap("description: 'x', entry: () => act()"),
  'an inline guard': wrap("description: 'x', on: { b: { guard: ({ context }) => context.c } }"),
  'an actor that is not a name': wrap(
    "description: 'x', invoke: { id: 'b', src: fetchIt, onDone: 'd', onError: 'd' }",
  ),
  'an assign of several lines': wrap("description: 'x', entry: assign({\n  b: 1,\n})"),
  'params of several lines': wrap(
    "description: 'x', entry: { type: 'b', params: () => {\n  return 1;\n} }",
  ),
};

for (const [what, source] of Object.entries(violations)) {
  test(`${what} is found fault with`, () => {
    assert.notDeepEqual(importableFormFaults(parseSource(source)), []);
  });
}

test('a literal that differs from the config in one word is told apart', () => {
  const source = wrap("description: 'x', on: { b: { target: 'c', reenter: true } }");
  const [extracted] = extractMachines(parseSource(source));
  assert.ok(extracted !== undefined);
  const config = { id: 'a', description: 'x', on: { b: { target: 'c', reenter: false } } };
  assert.notDeepEqual(plainTree(extracted.literal), plainConfig(config));
});

async function readTree(id: string) {
  return parseSource(await readFile(path.join(folder, `${id}.ts`), 'utf8'));
}
