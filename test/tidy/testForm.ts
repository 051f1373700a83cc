import { lineOf, type Rule, ruleOfTree } from './sourceFile.ts';
import {
  calleeName,
  isNode,
  literalText,
  nodesOf,
  placeholder,
  type SyntaxNode,
  walk,
} from './syntax.ts';

/** What takes the title and the body of tests; the last makes one for each way to a cluster. */
const testMakers = new Set(['test', 'it', 'testBothWays']);

/** A title is a fact: at least three words, unless it is put together while running. */
export const testTitles: Rule = ruleOfTree(({ path, tree }, add) => {
  if (!path.endsWith('.test.ts')) return;
  let tests = 0;
  const seen = new Set<string>();
  for (const call of nodesOf(tree, 'CallExpression')) {
    const { callee } = call;
    const isPlain = isNode(callee) && callee.type === 'Identifier';
    if (!isPlain || !testMakers.has(calleeName(call))) continue;
    tests += 1;
    const [first] = call.arguments as SyntaxNode[];
    const title = literalText(first);
    const isComputed = first !== undefined && title === null && !/Function/.test(first.type);
    if (isComputed) continue;
    if (title === null) add(lineOf(call), 'is a test without a title');
    else if (title.split(/\s+/).length < 3)
      add(lineOf(call), `has a title that says little: ${title}`);
    else if (seen.has(title) && !title.includes(placeholder))
      add(lineOf(call), `repeats the title ${title}`);
    seen.add(title ?? '');
  }
  if (tests === 0) add(1, 'has no test');
});

/** A bench measures for a span of time: there, time is what is waited for. */
const measuring = 'test/bench/';

const loops = new Set(['WhileStatement', 'ForStatement', 'DoWhileStatement', 'ForOfStatement']);

/**
 * Tests wait on what happens. Between two looks, in a loop, they may pause; otherwise only with the
 * reason on the same line, such as that nothing must happen, for which there is no event.
 */
export const bareSleeps: Rule = ruleOfTree(({ path, text, tree }, add) => {
  if (!path.startsWith('test/') || path.startsWith(measuring)) return;
  const sleepers = sleepersOf(tree);
  const lines = text.split('\n');
  walk(tree, (node, around) => {
    if (node.type !== 'AwaitExpression' || !isNode(node.argument)) return;
    if (!isSleep(node.argument, sleepers)) return;
    const isExplained = / \/\/ \w/.test(lines[lineOf(node) - 1] ?? '');
    if (!isExplained && !around.some(({ type }) => loops.has(type)))
      add(lineOf(node), 'sleeps instead of waiting');
  });
});

const hooks = new Set(['before', 'after', 'beforeEach', 'afterEach']);
const fileScopes = 'test/support/testEngine.ts';

/**
 * One process runs many test files and loads what they share once: a hook there would be called
 * for the first of them alone. For clean-ups of a file there is `fileScope`.
 */
export const sharedHooks: Rule = ruleOfTree(({ path, tree }, add) => {
  if (!path.startsWith('test/') || path.endsWith('.test.ts') || path === fileScopes) return;
  for (const statement of tree.body as SyntaxNode[]) {
    const call = statement.expression;
    if (statement.type !== 'ExpressionStatement' || !isNode(call)) continue;
    if (call.type === 'CallExpression' && hooks.has(calleeName(call)))
      add(lineOf(statement), 'registers a hook for the first file alone that loads it');
  }
});

/** What this file calls the sleep of node:timers/promises. */
function sleepersOf(tree: SyntaxNode): Set<string> {
  const imports = nodesOf(tree, 'ImportDeclaration').filter(
    ({ source }) => literalText(source) === 'node:timers/promises',
  );
  const locals = imports.flatMap(({ specifiers }) =>
    (specifiers as { local: { name: string } }[]).map(({ local }) => local.name),
  );
  return new Set(['sleep', ...locals]);
}

function isSleep(awaited: SyntaxNode, sleepers: ReadonlySet<string>): boolean {
  if (awaited.type === 'CallExpression') return sleepers.has(calleeName(awaited));
  const isPromise =
    awaited.type === 'NewExpression' && isNode(awaited.callee) && awaited.callee.name === 'Promise';
  if (!isPromise) return false;
  const [executor] = awaited.arguments as SyntaxNode[];
  const body = isNode(executor?.body) ? executor.body : null;
  return body?.type === 'CallExpression' && calleeName(body) === 'setTimeout';
}
