import type { Chart, ChartState } from './chart.ts';

/** What a colour says. The order is that of the legend. */
export const meanings = ['rest', 'prepare', 'work', 'drain', 'doubt', 'end', 'fenced'] as const;
export type Meaning = (typeof meanings)[number];

/** States whose meaning does not follow from their shape. Children take their parent's. */
export const namedMeanings: Readonly<Record<string, Meaning>> = {
  'lifecycle.prepare': 'prepare',
  'lifecycle.executing': 'work',
  'slot.prepare': 'prepare',
  'slot.prepare.returning': 'drain',
  'slot.executing': 'work',
  'slot.executing.retrying': 'doubt',
  'slot.reset': 'doubt',
  'node.live': 'work',
  'node.live.draining': 'drain',
  'node.live.stopping': 'drain',
  'node.leaving': 'drain',
  'scheduler.draining': 'drain',
  'scheduler.stopping': 'drain',
  'committer.pausing': 'doubt',
  'committer.recovering': 'doubt',
  'heartbeat.doubting': 'doubt',
};

const endsOfTrouble = new Set(['fenced', 'failed']);

/** The meaning of every state of a chart, by id: as named, or else by what the state does. */
export function meaningsOf(chart: Chart): Map<string, Meaning> {
  const found = new Map<string, Meaning>();
  const visit = (state: ChartState, inherited: Meaning | null): void => {
    const named = namedMeanings[state.id] ?? (state.isFinal ? null : inherited);
    found.set(state.id, named ?? meaningByShape(state));
    for (const child of state.states) visit(child, named);
  };
  for (const child of chart.root.states) visit(child, null);
  return found;
}

function meaningByShape(state: ChartState): Meaning {
  if (state.isFinal) return endsOfTrouble.has(state.name) ? 'fenced' : 'end';
  const acts = state.invokes.length + state.entry.length > 0;
  return acts ? 'work' : 'rest';
}
