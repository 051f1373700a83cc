import type { ChartState } from './chart.ts';
import { innerRows } from './labelRows.ts';
import { blockOf, type Row, type TextBlock, wrappedRows } from './textBlock.ts';

const leafWidthMax = 170;
const headerWidthMax = 420;

/**
 * What is written in a state's box, or above the children of one that has some: its name, what
 * runs while it is there, and events that it handles without being left. The notes say what it is.
 */
export function stateBlock(state: ChartState): TextBlock {
  const widthMax = state.states.length > 0 ? headerWidthMax : leafWidthMax;
  const name = { text: state.name, tone: 'ink', bold: true } as const;
  return blockOf([
    { spans: [name], size: 13, sign: null, gap: 0, rule: false },
    ...invokedRows(state.invokes, widthMax),
    ...innerRows(state.inner, widthMax),
  ]);
}

function invokedRows(invokes: readonly string[], widthMax: number): Row[] {
  const style = { size: 11, tone: 'plain', gap: 2 } as const;
  const rows = wrappedRows(invokes.join(', '), style, widthMax);
  return rows.map((row, place) => (place === 0 ? { ...row, sign: 'loop' } : row));
}
