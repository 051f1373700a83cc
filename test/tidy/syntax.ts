import { parse } from '@babel/parser';

/** A node of the syntax tree, as far as the rules look at it. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly loc: {
    readonly start: { readonly line: number };
    readonly end: { readonly line: number };
  };
  readonly [field: string]: unknown;
}

/** Parses a TypeScript module; throws with the place of the first mistake. */
export function parseSource(text: string, name = ''): SyntaxNode {
  const jsx = name.endsWith('.tsx') ? (['jsx'] as const) : [];
  const file = parse(text, {
    sourceType: 'module',
    plugins: ['typescript', 'explicitResourceManagement', ...jsx],
    attachComment: false,
  });
  return file.program as unknown as SyntaxNode;
}

/** Calls `visit` with `node` and each node below it, and with those around it, inmost last. */
export function walk(
  node: SyntaxNode,
  visit: (node: SyntaxNode, around: readonly SyntaxNode[]) => void,
  around: SyntaxNode[] = [],
): void {
  visit(node, around);
  around.push(node);
  for (const key in node) {
    const value = node[key];
    if (typeof value !== 'object' || value === null || key === 'loc') continue;
    if (!Array.isArray(value)) isNode(value) && walk(value, visit, around);
    else for (const child of value) if (isNode(child)) walk(child, visit, around);
  }
  around.pop();
}

/** Of each tree that was looked at, its nodes by type, each with its place in the text. */
const indexes = new WeakMap<SyntaxNode, Map<string, [SyntaxNode, number][]>>();

/** Every node of the given types, in the order of the text. */
export function nodesOf(tree: SyntaxNode, ...types: string[]): SyntaxNode[] {
  const index = indexes.get(tree) ?? indexNodes(tree);
  const found = types.flatMap((type) => index.get(type) ?? []);
  if (types.length > 1) found.sort(([, one], [, other]) => one - other);
  return found.map(([node]) => node);
}

function indexNodes(tree: SyntaxNode): Map<string, [SyntaxNode, number][]> {
  const index = new Map<string, [SyntaxNode, number][]>();
  let place = 0;
  walk(tree, (node) => {
    const nodes = index.get(node.type);
    if (nodes === undefined) index.set(node.type, [[node, place]]);
    else nodes.push([node, place]);
    place += 1;
  });
  indexes.set(tree, index);
  return index;
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof (value as SyntaxNode | null)?.type === 'string' && 'start' in (value as object);
}

/** Stands for what is put into a template. */
export const placeholder = '…';

/** The text of a string or template literal, with placeholders; else null. */
export function literalText(node: unknown): string | null {
  if (!isNode(node)) return null;
  if (node.type === 'StringLiteral') return node.value as string;
  if (node.type !== 'TemplateLiteral') return null;
  const quasis = node.quasis as { value: { raw: string } }[];
  return quasis.map((quasi) => quasi.value.raw).join(placeholder);
}

/** The last name of what is called: `test` of `test(…)`, `then` of `a.b.then(…)`. */
export function calleeName(call: SyntaxNode): string {
  const callee = call.callee;
  if (!isNode(callee)) return '';
  const named = callee.type === 'MemberExpression' ? callee.property : callee;
  return isNode(named) && named.type === 'Identifier' ? (named.name as string) : '';
}
