import {
  type ArrowLabel,
  type ArrowSign,
  type Chart,
  type ChartState,
  transitionText,
} from './chart.ts';

/**
 * The chart as a Mermaid `stateDiagram-v2`. Mermaid knows no event handlers inside a state, so that
 * invoked actors, entry and exit actions and inner events are lines of the state's description;
 * arrows of the machine itself start at a state named for it.
 */
export function writeMermaid(chart: Chart): string {
  const lines = ['---', `title: ${chart.id}`, '---', 'stateDiagram-v2', '  direction TB'];
  const add = (depth: number, line: string) => lines.push(`${'  '.repeat(depth)}${line}`);
  const visit = (state: ChartState, depth: number): void => {
    const id = idOf(state.id);
    if (state.states.length === 0) {
      add(depth, `${id}: ${linesOf(state).join('<br/>')}`);
    } else {
      add(depth, `state "${linesOf(state).join('<br/>')}" as ${id} {`);
      visitChildren(state, depth + 1);
      add(depth, '}');
    }
  };
  const visitChildren = (state: ChartState, depth: number): void => {
    for (const child of state.states) visit(child, depth);
    if (state.initial !== null) add(depth, `[*] --> ${idOf(state.initial)}`);
  };
  visitChildren(chart.root, 1);
  const any = `${idOf(chart.id)}_any_state`;
  const startsAtRoot = chart.arrows.some(({ from }) => from === chart.id);
  if (startsAtRoot) add(1, `${any}: any state`);
  for (const { from, to, labels } of chart.arrows) {
    const source = from === chart.id ? any : idOf(from);
    add(1, `${source} --> ${idOf(to)}: ${labels.map(labelLine).join('<br/>')}`);
  }
  for (const state of finalStates(chart.root)) add(1, `${idOf(state.id)} --> [*]`);
  const notes = chart.root.inner.map(labelLine);
  if (notes.length > 0) {
    add(1, `note right of ${idOf(chart.root.initial ?? chart.id)}`);
    for (const note of ['in any state:', ...notes]) add(2, note);
    add(1, 'end note');
  }
  return `${lines.join('\n')}\n`;
}

/** What stands in the state's box. */
function linesOf(state: ChartState): string[] {
  return [
    clean(state.name),
    clean(state.description),
    ...state.invokes.map((source) => `⟳ ${clean(source)}`),
    ...state.entry.map((action) => `entry / ${clean(action)}`),
    ...state.exit.map((action) => `exit / ${clean(action)}`),
    ...state.inner.map(labelLine),
  ].filter((line) => line !== '');
}

const signTexts: Record<ArrowSign, string> = {
  event: '',
  after: 'after ',
  done: '✓ ',
  error: '✗ ',
  always: 'at once',
};

function labelLine(label: ArrowLabel): string {
  const said = label.description || (label.isForbidden ? 'is ignored' : '');
  return clean(`${signTexts[label.sign]}${transitionText(label)} ${said}`.trim());
}

/** Mermaid ends a text at `;` and `#`, a title at `"`, and takes `:` for the start of another. */
function clean(text: string): string {
  return text.replace(/[;:]/g, ',').replace(/[#"{}<>]/g, ' ');
}

function idOf(id: string): string {
  return id.replace(/[^A-Za-z0-9]/g, '_');
}

function finalStates(state: ChartState): ChartState[] {
  return state.isFinal ? [state] : state.states.flatMap(finalStates);
}
