import { lineOf, type Rule, ruleOfTree } from './sourceFile.ts';
import { calleeName, isNode, nodesOf, type SyntaxNode, walk } from './syntax.ts';

/** Whoever drops an error says why, in the place where it is dropped. */
export const emptyCatches: Rule = ruleOfTree(({ text, tree }, add) => {
  const says = 'drops an error without saying why';
  for (const clause of nodesOf(tree, 'CatchClause')) {
    const body = clause.body as SyntaxNode;
    if (isEmpty(body) && !hasComment(text.slice(body.start, body.end))) add(lineOf(clause), says);
  }
  walk(tree, (call, around) => {
    if (!calls.has(call.type) || calleeName(call) !== 'catch') return;
    const [handler] = call.arguments as SyntaxNode[];
    if (handler?.type !== 'ArrowFunctionExpression' || !isNode(handler.body)) return;
    if (!isEmpty(handler.body) || isUsed(around) || isExplained(text, call)) return;
    add(lineOf(handler), says);
  });
});

const calls = new Set(['CallExpression', 'OptionalCallExpression']);

/** `undefined` in place of a value that is then looked at is an answer, nothing is dropped. */
function isUsed(around: readonly SyntaxNode[]): boolean {
  const outside = around.findLast(({ type }) => !passing.has(type));
  return outside?.type !== 'ExpressionStatement';
}

const passing = new Set(['AwaitExpression', 'UnaryExpression', 'ChainExpression']);

function isEmpty(body: SyntaxNode): boolean {
  if (body.type === 'BlockStatement') return (body.body as unknown[]).length === 0;
  return body.type === 'Identifier' && body.name === 'undefined';
}

/** A comment inside the call, on its last line, or on the line above it. */
function isExplained(text: string, call: SyntaxNode): boolean {
  const lines = text.split('\n');
  const { start, end } = call.loc;
  const around = lines.slice(Math.max(0, start.line - 2), end.line).join('\n');
  return hasComment(around);
}

function hasComment(text: string): boolean {
  return /\/\/|\/\*|^\s*\*/m.test(text.replace(/['"`][^'"`\n]*['"`]/g, ''));
}
