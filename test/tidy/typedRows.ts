import { lineOf, type Rule, ruleOfTree } from './sourceFile.ts';
import { calleeName, type SyntaxNode, walk } from './syntax.ts';

/** Where rows come from the driver, and where they get their types. */
const driverFiles = new Set([
  'src/store/connection/channel.ts',
  'src/store/connection/prepareSession.ts',
  'src/store/connection/queryable.ts',
  'src/store/rows/row.ts',
]);
const untypedRows = new Set(['Row', 'RowDataPacket']);

/** Rows have the types that their decoder gives them, and no other. */
export const typedRows: Rule = ruleOfTree(({ path, tree }, add) => {
  if (!path.startsWith('src/store/') || driverFiles.has(path)) return;
  walk(tree, (node) => {
    if (node.type === 'CallExpression' && calleeName(node) === 'query' && node.typeParameters) {
      add(lineOf(node), 'gives rows a type where they are read: use rows() with a decoder');
    }
    if (node.type === 'TSAsExpression' && isFieldOfRow(node.expression as SyntaxNode)) {
      add(lineOf(node), 'casts a field of a row: its decoder gives it the type');
    }
    if (node.type === 'ImportSpecifier' && untypedRows.has(nameOf(node.imported))) {
      add(lineOf(node), 'uses rows without a type: use ReturnType of a decoder');
    }
  });
});

function isFieldOfRow(node: SyntaxNode): boolean {
  const isMember = node.type === 'MemberExpression' || node.type === 'OptionalMemberExpression';
  return isMember && nameOf(node.object) === 'row';
}

function nameOf(node: unknown): string {
  const { name } = node as { readonly name?: unknown };
  return typeof name === 'string' ? name : '';
}
