import type { ChartState } from './chart.ts';
import { innerRows } from './labelRows.ts';
import type { Glyph, Row, TextBlock } from './textBlock.ts';
import { blockOf, wrappedRows } from './textBlock.ts';

const leafWidthMax = 190;
const headerWidthMax = 480;

/**
 * What is written in a state's box; for a state with children, in the header above them, which may
 * be no wider than `headerWidth`.
 */
export function stateBlock(
  state: ChartState,
  isFrame = false,
  headerWidth = headerWidthMax,
): TextBlock {
  const rows: Row[] = [];
  const size = isFrame ? 22 : 15;
  const title = { text: state.name, tone: 'strong', bold: true } as const;
  rows.push({ spans: [title], size, glyph: null, gap: 0, rule: false });
  const widthMax = state.states.length > 0 ? headerWidth : leafWidthMax;
  const descriptionSize = isFrame ? 13 : 12;
  rows.push(...wrappedRows(state.description, { size: descriptionSize, tone: 'muted' }, widthMax));
  const details = detailRows(state, isFrame, widthMax);
  const [first, ...others] = details;
  if (first !== undefined) rows.push({ ...first, gap: 13, rule: true }, ...others);
  return blockOf(rows);
}

function detailRows(state: ChartState, isFrame: boolean, widthMax: number): Row[] {
  const row = (glyph: Glyph, text: string): Row => ({
    spans: [{ text, tone: 'plain', bold: false }],
    size: 12,
    glyph,
    gap: 2,
    rule: false,
  });
  return [
    ...state.invokes.map((source) => row('loop', source)),
    ...state.entry.map((action) => row('enter', action)),
    ...state.exit.map((action) => row('leave', action)),
    ...(isFrame && state.inner.length > 0 ? [anyStateRow] : []),
    ...innerRows(state.inner, widthMax),
  ];
}

const anyStateRow: Row = {
  spans: [{ text: 'in any state', tone: 'muted', bold: false }],
  size: 11,
  glyph: null,
  gap: 0,
  rule: false,
};
