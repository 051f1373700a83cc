import { calleeName, isNode, literalText, nodesOf, type SyntaxNode, walk } from '../tidy/syntax.ts';
import { extractMachines, keyText } from './extractMachine.ts';

/**
 * What keeps a chart's module from being read by Stately's editor, or by people: the rules are in
 * the sentences. Empty for a module in order.
 */
export function importableFormFaults(tree: SyntaxNode): string[] {
  const faults: string[] = [];
  const add = (node: SyntaxNode, says: string) => {
    faults.push(`line ${node.loc.start.line}: ${says}`);
  };
  for (const node of nodesOf(tree, 'ImportDeclaration')) {
    const isType = node.importKind === 'type';
    if (!isType && literalText(node.source) !== 'xstate') add(node, 'imports a value of our own');
  }
  const machines = extractMachines(tree);
  if (machines.length !== 1) add(tree, `holds ${machines.length} machines instead of one`);
  for (const { exportName, literal } of machines) {
    const id = literalText(valueAt(literal, 'id'));
    if (exportName !== `${id}Machine`) add(literal, `${exportName} is not named for its id ${id}`);
    checkState(literal, add);
    checkFunctions(literal, add);
    checkReferences(literal, add);
  }
  return faults;
}

type Add = (node: SyntaxNode, says: string) => void;

/** Every state says what it is for, every invoke is known by an id and has both its ends. */
function checkState(state: SyntaxNode, add: Add): void {
  if ((literalText(valueAt(state, 'description')) ?? '') === '') {
    add(state, 'a state without a description');
  }
  const invoke = valueAt(state, 'invoke');
  const invokes = invoke?.type === 'ArrayExpression' ? (invoke.elements as SyntaxNode[]) : [invoke];
  for (const each of invokes) {
    if (each === null) continue;
    for (const key of ['id', 'src', 'onDone', 'onError']) {
      if (valueAt(each as SyntaxNode, key) === null)
        add(each as SyntaxNode, `invoke without ${key}`);
    }
  }
  const states = valueAt(state, 'states');
  for (const child of states === null ? [] : (states.properties as SyntaxNode[])) {
    if (isNode(child.value)) checkState(child.value, add);
  }
}

const mayBeFunctions = new Set(['params', 'input', 'context']);

/** Functions: params, input and context, and what an assign keeps; one line, one expression. */
function checkFunctions(literal: SyntaxNode, add: Add): void {
  walk(literal, (node, around) => {
    if (!/Function|ObjectMethod/.test(node.type)) return;
    const parent = around.at(-1);
    const isValue = parent?.type === 'ObjectProperty' && parent.value === node;
    const isAssigned = around.some((each) => calleeName(each) === 'assign');
    const isAllowed = isValue && (isAssigned || mayBeFunctions.has(keyText(parent)));
    if (!isAllowed) add(node, 'an inline function');
    else if (node.loc.start.line !== node.loc.end.line) add(node, 'a function of several lines');
  });
}

const referring = new Set(['actions', 'entry', 'exit', 'guard', 'src']);

/** Actions, guards and actors are strings, `{ type: string, params }`, or a one-line assign. */
function checkReferences(literal: SyntaxNode, add: Add): void {
  for (const property of nodesOf(literal, 'ObjectProperty')) {
    const key = keyText(property);
    if (!referring.has(key) || !isNode(property.value)) continue;
    const { value } = property;
    const each = value.type === 'ArrayExpression' ? (value.elements as SyntaxNode[]) : [value];
    for (const reference of each) {
      const type = reference.type === 'ObjectExpression' ? valueAt(reference, 'type') : reference;
      const isAssign = reference.type === 'CallExpression' && calleeName(reference) === 'assign';
      const isOneLine = reference.loc.start.line === reference.loc.end.line;
      if (type?.type === 'StringLiteral' || (isAssign && isOneLine)) continue;
      add(reference, `${key} that is neither a name nor a one-line assign`);
    }
  }
}

function valueAt(object: SyntaxNode, key: string): SyntaxNode | null {
  if (object.type !== 'ObjectExpression') return null;
  const property = (object.properties as SyntaxNode[]).find(
    (each) => each.type === 'ObjectProperty' && keyText(each) === key,
  );
  return isNode(property?.value) ? property.value : null;
}
