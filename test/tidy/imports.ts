import path from 'node:path';
import { lineOf, type SourceFile } from './sourceFile.ts';
import { isNode, literalText, walk } from './syntax.ts';

export interface Import {
  readonly specifier: string;
  readonly line: number;
  readonly isTypeOnly: boolean;
  /** The file meant, from the top of the repository; null for packages and built-ins. */
  readonly target: string | null;
}

const declarations = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'TSImportType',
]);

/** Everything that a file names as another module: static, dynamic, re-exported, type or value. */
export function importsOf(file: SourceFile): Import[] {
  const found: Import[] = [];
  if (file.tree === null) return found;
  walk(file.tree, (node) => {
    const source = declarations.has(node.type) ? (node.source ?? node.argument) : dynamic(node);
    const specifier =
      literalText(source) ?? literalText((source as { literal?: unknown })?.literal);
    if (specifier === null) return;
    const isTypeOnly = node.importKind === 'type' || node.exportKind === 'type';
    const target = specifier.startsWith('.')
      ? path.posix.join(path.posix.dirname(file.path), specifier)
      : null;
    found.push({ specifier, line: lineOf(node), isTypeOnly, target });
  });
  return found;
}

function dynamic(node: { type: string; [field: string]: unknown }): unknown {
  if (node.type === 'ImportExpression') return node.source;
  if (node.type !== 'CallExpression' || !isNode(node.callee)) return null;
  return node.callee.type === 'Import' ? (node.arguments as unknown[])[0] : null;
}
