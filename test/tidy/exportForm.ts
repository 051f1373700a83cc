import path from 'node:path';
import { lineOf, type Rule, ruleOfTree } from './sourceFile.ts';
import { isNode, nodesOf, type SyntaxNode } from './syntax.ts';

/** piscina asks its workers for a default export; nobody else does. */
const mayExportDefault = new Set(['src/exec/pool/worker.ts', 'src/http/work/calculationWorker.ts']);

export const defaultExports: Rule = ruleOfTree(({ path: name, tree }, add) => {
  if (mayExportDefault.has(name)) return;
  for (const node of nodesOf(tree, 'ExportDefaultDeclaration', 'TSExportAssignment')) {
    add(lineOf(node), 'has a default export');
  }
});

/** Who needs something imports it from where it is. */
export const barrels: Rule = ruleOfTree(({ tree }, add) => {
  for (const node of nodesOf(tree, 'ExportAllDeclaration')) add(lineOf(node), 're-exports');
  for (const node of nodesOf(tree, 'ExportNamedDeclaration')) {
    if (isNode(node.source)) add(lineOf(node), 're-exports');
  }
});

/** A word of the file's name is in the name of something that it exports. */
export const fileNames: Rule = ruleOfTree(({ path: name, tree }, add) => {
  const base = path.posix.basename(name).replace(/\.tsx?$/, '');
  if (name.endsWith('.test.ts')) return;
  if (!/^[a-z][A-Za-z0-9]*$/.test(base)) add(1, `${base} is not camelCase`);
  const names = nodesOf(tree, 'ExportNamedDeclaration').flatMap(exportedNames);
  const words = new Set(names.flatMap(wordsOf));
  if (names.length === 0 || wordsOf(base).some((word) => words.has(word))) return;
  add(1, `exports ${names.slice(0, 4).join(', ')}, none of which is named like it`);
});

/** The names that one export statement gives. */
export function exportedNames(node: SyntaxNode): string[] {
  const specifiers = (node.specifiers as SyntaxNode[]).map(({ exported }) => nameIn(exported));
  const { declaration } = node;
  if (!isNode(declaration)) return specifiers;
  if (declaration.type !== 'VariableDeclaration') return [nameIn(declaration.id)];
  return (declaration.declarations as SyntaxNode[]).map(({ id }) => nameIn(id));
}

function nameIn(node: unknown): string {
  return isNode(node) && typeof node.name === 'string' ? node.name : '';
}

/** The words of a camelCase name without case and plural. */
function wordsOf(name: string): string[] {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(' ');
  return words.map((word) => word.replace(/(?<=ss)es$|(?<=[^s])s$/, ''));
}

const bannedNames = new Set(['util', 'common', 'type', 'helper', 'misc', 'shared', 'lib', 'index']);

/** Names that say nothing about what is inside. */
export const emptyNames: Rule = (files) =>
  files.flatMap(({ path: name }) => {
    const pieces = name.replace(/\.[a-z.]+$/, '').split('/');
    const banned = pieces.find((piece) => wordsOf(piece).every((word) => bannedNames.has(word)));
    return banned === undefined ? [] : [{ path: name, line: 1, says: `is called ${banned}` }];
  });
