import type { SlotState } from '../../src/domain/run/arrows.ts';
import { literalText, type SyntaxNode, walk } from '../tidy/syntax.ts';

/** What one UPDATE of the table `slot` may do to the state of a row. */
export interface StateChange {
  /** The name in the statement's leading comment. */
  readonly name: string;
  readonly from: readonly SlotState[];
  /** Null for a statement that leaves the state as it is. */
  readonly to: SlotState | null;
}

/** The names that are put into statements by a template, with the SQL that they stand for. */
const fragments: Readonly<Record<string, string>> = { idleAssignments: "state = 'idle'" };

/** What may be written in every state: where a slot may run is no matter of its lifecycle. */
const columnsOfNoState: readonly string[] = ['target_id'];

/** Reads the UPDATE statements of the table `slot` in a module of the store. */
export function stateChangesIn(tree: SyntaxNode): StateChange[] {
  const found: StateChange[] = [];
  walk(tree, (node) => {
    const sql = statementText(node);
    if (sql !== null && /\bUPDATE (slot|\(.*JOIN slot)\b/.test(sql)) found.push(readChange(sql));
  });
  return found;
}

/** Throws for a statement of the lifecycle that no state guards: any row could be changed. */
function readChange(sql: string): StateChange {
  const name = /\/\* *([^*]*?) *\*\//.exec(sql)?.[1] ?? '';
  const place = sql.lastIndexOf(' WHERE ');
  const [assignments, guard] = [sql.slice(0, place), sql.slice(place)];
  const to = /(?:SET|,) (?:slot\.)?state = '(\w+)'/.exec(assignments)?.[1];
  const from = /\bstate (=|<>) '(\w+)'/.exec(guard);
  const all: SlotState[] = ['idle', 'prepare', 'executing'];
  if (from === null) {
    const columns = assignedColumns(assignments);
    const isOfNoState = columns.every((column) => columnsOfNoState.includes(column));
    if (columns.length > 0 && isOfNoState) return { name, from: all, to: null };
    throw new Error(`the statement ${name} is guarded by no state`);
  }
  const [, compared, state] = from;
  const isLeft = (each: SlotState) => (compared === '=') === (each === state);
  return { name, from: all.filter(isLeft), to: (to as SlotState | undefined) ?? null };
}

/** The columns that the list after SET writes. */
function assignedColumns(assignments: string): string[] {
  const list = assignments.slice(assignments.indexOf(' SET ') + ' SET '.length);
  return list.split(',').map((assignment) => assignment.split('=')[0]?.trim() ?? '');
}

function statementText(node: SyntaxNode): string | null {
  const text = literalText(node);
  if (text === null || node.type === 'StringLiteral') return text;
  const names = (node.expressions as { name?: string }[]).map(({ name }) => fragments[name ?? '']);
  let place = 0;
  const filled = text.replaceAll('…', () => names[place++] ?? '?');
  return filled.replace(/\s+/g, ' ');
}
