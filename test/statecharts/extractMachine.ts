import { calleeName, isNode, literalText, nodesOf, type SyntaxNode } from '../tidy/syntax.ts';

/** A machine's literal as it stands in the source. */
export interface ExtractedMachine {
  /** The name of the exported constant. */
  readonly exportName: string;
  readonly setup: SyntaxNode;
  readonly literal: SyntaxNode;
}

/**
 * Finds `export const x = setup({…}).createMachine({ literal })` in a module the way Stately's
 * importer does: by reading, without running anything. Resolves to every machine that it finds.
 */
export function extractMachines(tree: SyntaxNode): ExtractedMachine[] {
  const found: ExtractedMachine[] = [];
  for (const exported of nodesOf(tree, 'ExportNamedDeclaration')) {
    if (!isNode(exported.declaration)) continue;
    for (const declarator of nodesOf(exported.declaration, 'VariableDeclarator')) {
      const call = declarator.init;
      if (!isNode(call) || call.type !== 'CallExpression') continue;
      if (calleeName(call) !== 'createMachine') continue;
      const made = (call.callee as SyntaxNode).object;
      const isSetup =
        isNode(made) && made.type === 'CallExpression' && calleeName(made) === 'setup';
      const [literal] = call.arguments as SyntaxNode[];
      const [setup] = isSetup ? (made.arguments as SyntaxNode[]) : [];
      if (literal?.type !== 'ObjectExpression' || setup?.type !== 'ObjectExpression') continue;
      found.push({ exportName: (declarator.id as { name?: string }).name ?? '', setup, literal });
    }
  }
  return found;
}

/** Stands for a function wherever two trees are compared. */
export const functionMark = '(function)';

/** The literal as a plain tree: what cannot be read without running it is a mark, or an error. */
export function plainTree(node: SyntaxNode): unknown {
  const text = literalText(node);
  if (text !== null && node.type === 'StringLiteral') return text;
  switch (node.type) {
    case 'NumericLiteral':
    case 'BooleanLiteral':
      return node.value;
    case 'NullLiteral':
      return null;
    case 'ArrayExpression':
      return (node.elements as SyntaxNode[]).map(plainTree);
    case 'ObjectExpression':
      return Object.fromEntries((node.properties as SyntaxNode[]).map(plainEntry));
    case 'ArrowFunctionExpression':
      return functionMark;
    case 'CallExpression':
      if (calleeName(node) === 'assign') return functionMark;
  }
  throw new Error(`line ${node.loc.start.line}: ${node.type} cannot be read without running it`);
}

function plainEntry(property: SyntaxNode): [string, unknown] {
  const { key, value } = property;
  if (property.type !== 'ObjectProperty' || !isNode(key) || !isNode(value)) {
    throw new Error(`line ${property.loc.start.line}: ${property.type} in a literal`);
  }
  return [keyText(property), plainTree(value)];
}

/** The name of a property, quoted or not. */
export function keyText(property: SyntaxNode): string {
  const { key } = property;
  if (!isNode(key) || property.computed === true) throw new Error('a key that is computed');
  return literalText(key) ?? String(key.name);
}

/** A machine's own config as the same kind of tree; setup adds keys without a value to it. */
export function plainConfig(value: unknown): unknown {
  if (typeof value === 'function') return functionMark;
  if (Array.isArray(value)) return value.map(plainConfig);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(entries.map(([key, each]) => [key, plainConfig(each)]));
}
