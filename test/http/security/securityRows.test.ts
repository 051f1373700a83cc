import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import {
  calleeName,
  literalText,
  nodesOf,
  parseSource,
  type SyntaxNode,
} from '../../tidy/syntax.ts';
import { securityRows } from './securityRows.ts';

/** Titles of tests and of their chapters, with the constants that stand in them. */
function titlesOf(file: string): string[] {
  const tree = parseSource(readFileSync(file, 'utf8'));
  const constants = new Map<string, string>();
  for (const { id, init } of nodesOf(tree, 'VariableDeclarator') as unknown as Declarator[]) {
    const text = literalText(init);
    if (id.name !== undefined && text !== null) constants.set(id.name, text);
  }
  const calls = nodesOf(tree, 'CallExpression').filter((call) =>
    ['test', 'describe'].includes(calleeName(call)),
  );
  return calls.flatMap((call) => {
    const [title] = call.arguments as SyntaxNode[];
    return title === undefined ? [] : [textOf(title, constants)];
  });
}

interface Declarator {
  readonly id: { readonly name?: string };
  readonly init: unknown;
}

function textOf(title: SyntaxNode, constants: ReadonlyMap<string, string>): string {
  if (title.type !== 'TemplateLiteral') return literalText(title) ?? '';
  const names = title.expressions as { name?: string }[];
  const quasis = title.quasis as { value: { raw: string } }[];
  return quasis
    .map(({ value }, place) => value.raw + (constants.get(names[place]?.name ?? '') ?? ''))
    .join('');
}

/** What is not asked for by HTTP is tested beside what it is about. */
const rooms = ['..', '../../exec/notifications', '../../node', '../../store'];

test('every row of what happened to others has a test that names it', () => {
  const files = rooms.flatMap((room) => {
    const folder = path.join(import.meta.dirname, room);
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return names.map((name) => path.join(folder, name));
  });
  const titles = files
    .filter((file) => file.endsWith('.test.ts') && file !== import.meta.filename)
    .flatMap(titlesOf);
  assert.ok(titles.length >= 50, `${titles.length} titles`);
  const names = Object.values(securityRows).flat();
  assert.equal(new Set(names).size, names.length);
  const missing = names.filter((name) => !titles.some((title) => hasName(title, name)));
  assert.deepEqual(missing, []);
});

/** `#30` is not there where `#302` is. */
function hasName(title: string, name: string): boolean {
  const at = title.indexOf(name);
  return at !== -1 && !/^\d/.test(title.slice(at + name.length));
}

test('a title that names another number does not count', () => {
  assert.ok(!hasName('dkron #1761: x', '#176'));
  assert.ok(hasName('dkron #176, #302: x', '#176'));
});
