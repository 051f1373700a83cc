import { type Fault, lineOf, type Rule, ruleOfTree } from './sourceFile.ts';
import { calleeName, type SyntaxNode, walk } from './syntax.ts';

const linesMax = 250;
const testLinesMax = 350;
const columnsMax = 100;
const functionLinesMax = 70;

export const fileLines: Rule = (files) =>
  files.flatMap(({ path, text }): Fault[] => {
    const max = path.startsWith('test/') ? testLinesMax : linesMax;
    const lines = text.trimEnd().split('\n').length;
    return lines <= max
      ? []
      : [{ path, line: max, says: `has ${lines} lines, ${max} is the limit` }];
  });

export const columns: Rule = (files) =>
  files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((content, place): Fault[] => {
      const width = [...content].length;
      const says = `is ${width} columns wide, ${columnsMax} is the limit`;
      return width <= columnsMax ? [] : [{ path, line: place + 1, says }];
    }),
  );

const functions = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'ObjectMethod',
  'ClassMethod',
  'ClassPrivateMethod',
]);

/** What is handed to `describe` is a chapter of tests, not a function that does something. */
const chapters = new Set(['describe', 'suite', 'forEachEngine', 'forEachStore']);

export const functionLines: Rule = ruleOfTree(({ tree }, add) => {
  walk(tree, (node, around) => {
    if (!functions.has(node.type) || isChapter(around.at(-1))) return;
    const lines = node.loc.end.line - node.loc.start.line + 1;
    if (lines <= functionLinesMax) return;
    add(lineOf(node), `is a function of ${lines} lines, ${functionLinesMax} is the limit`);
  });
});

function isChapter(parent: SyntaxNode | undefined): boolean {
  return parent?.type === 'CallExpression' && chapters.has(calleeName(parent));
}
