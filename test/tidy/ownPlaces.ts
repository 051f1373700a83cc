import { lineOf, type Rule, ruleOfTree } from './sourceFile.ts';
import { isNode, walk } from './syntax.ts';

const finder = 'src/shipped/shippedFiles.ts';
const bundled = /^(src\/(?!page\/)|statecharts\/)/;

/** Code that is bundled lies elsewhere than its source: a path from there would lead nowhere. */
export const ownPlaces: Rule = ruleOfTree(({ path, tree }, add) => {
  if (!bundled.test(path) || path === finder) return;
  const packages = new Set<unknown>();
  walk(tree, (node) => {
    const { arguments: given, callee } = node;
    // Packages are found from anywhere below the folder that has them.
    const isRequire = isNode(callee) && callee.name === 'createRequire';
    if (isRequire && Array.isArray(given)) packages.add(given[0]);
    const { object } = node;
    if (node.type !== 'MemberExpression' || packages.has(node)) return;
    if (isNode(object) && object.type === 'MetaProperty') {
      add(lineOf(node), `looks for files from its own place, not by ${finder}`);
    }
  });
});
