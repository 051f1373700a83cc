import { exportedNames } from './exportForm.ts';
import { importsOf } from './imports.ts';
import { type Fault, lineOf, type Rule, type SourceFile } from './sourceFile.ts';
import { isNode, nodesOf, type SyntaxNode } from './syntax.ts';

/** What `exports` of package.json names: others import it. */
const entries = new Set([
  'src/startNode.ts',
  'src/domain/schedule/read/parseSchedule.ts',
  'src/domain/schedule/ticks.ts',
]);

/** What a file of src exports is imported by another file, be it only by a test. */
export const unusedExports: Rule = (files) => {
  const used = new Set(files.flatMap(importedNames));
  return files.flatMap(({ path, tree }): Fault[] => {
    if (tree === null || !path.startsWith('src/') || entries.has(path)) return [];
    if (used.has(`${path} *`)) return [];
    return nodesOf(tree, 'ExportNamedDeclaration').flatMap((node) =>
      exportedNames(node)
        .filter((name) => !used.has(`${path} ${name}`))
        .map((name) => ({ path, line: lineOf(node), says: `exports ${name}, used here alone` })),
    );
  });
};

/** As `path name`; `path *` where a module is taken whole. */
function importedNames(file: SourceFile): string[] {
  const { tree } = file;
  if (tree === null) return [];
  const found: string[] = [];
  const staticLines = new Set<number>();
  for (const node of nodesOf(tree, 'ImportDeclaration')) {
    const target = importsOf({ ...file, tree: node })[0]?.target ?? null;
    staticLines.add(lineOf(node));
    for (const { imported } of node.specifiers as SyntaxNode[]) {
      found.push(`${target} ${isNode(imported) ? imported.name : '*'}`);
    }
  }
  // Of a module that is imported when it is needed, whatever the file names counts as used.
  const late = importsOf(file).filter(({ line }) => !staticLines.has(line));
  const names = late.length === 0 ? [] : identifiersOf(tree);
  return [...found, ...late.flatMap(({ target }) => names.map((name) => `${target} ${name}`))];
}

function identifiersOf(tree: SyntaxNode): string[] {
  return [...new Set(nodesOf(tree, 'Identifier').map(({ name }) => name as string))];
}
