import { lineOf, type Rule, ruleOfTree } from './sourceFile.ts';
import { isNode, literalText, type SyntaxNode, walk } from './syntax.ts';

/** Where a text becomes a reason: out of the table, and cut to the length of its column. */
const makers = new Set(['src/domain/reasons/reasons.ts', 'src/store/runs/recordLate.ts']);

/** Why ticks and launches ended as they did is told by the table of reasons alone. */
export const reasonPlaces: Rule = ruleOfTree(({ path, tree }, add) => {
  if (!path.startsWith('src/')) return;
  walk(tree, (node) => {
    if (isCast(node) && !makers.has(path)) add(lineOf(node), 'makes a reason of another text');
    const text = literalText(node)?.replace(/\s+/g, ' ') ?? '';
    if (!/(INSERT INTO|UPDATE) (run|job_revision)\b.*\breason\b/.test(text)) return;
    const [sentence] = /'[^']*\w \w[^']*'/.exec(text) ?? [];
    if (sentence !== undefined) add(lineOf(node), `writes a reason of its own: ${sentence}`);
  });
});

function isCast({ type, typeAnnotation }: SyntaxNode): boolean {
  const name = isNode(typeAnnotation) ? typeAnnotation.typeName : null;
  return type === 'TSAsExpression' && isNode(name) && name.name === 'Reason';
}
