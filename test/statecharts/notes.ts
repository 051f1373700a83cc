import { type Chart, statesOf } from './chart.ts';
import { glyphOf, innerRows } from './labelRows.ts';
import { shades } from './shades.ts';
import { type Meaning, meanings, meaningsOf } from './stateMeaning.ts';
import { blockOf, type Glyph, type Row, type TextBlock, wrappedRows } from './textBlock.ts';

/** A block of notes with its left upper corner. */
export interface PlacedNote {
  readonly block: TextBlock;
  readonly x: number;
  readonly y: number;
}

/** The notes in columns side by side. */
export interface NoteColumns {
  readonly notes: readonly PlacedNote[];
  readonly width: number;
  readonly height: number;
}

export const columnGap = 24;
const noteGap = 4;
const textSize = 11;

/** What stands beside a chart: what it is, a sentence for each state, what its signs say. */
export function notesOf(chart: Chart, width: number): TextBlock[] {
  const { root } = chart;
  const states = root.states.flatMap(statesOf);
  return [
    blockOf([
      rowOf(root.name, 18),
      ...wrappedRows(root.description, { size: 12, tone: 'muted' }, width),
    ]),
    ...(root.inner.length === 0
      ? []
      : [blockOf([rowOf('in any state'), ...innerRows(root.inner, width)])]),
    ...states.map((state) =>
      blockOf([
        rowOf(state.name),
        ...wrappedRows(state.description, { size: textSize, tone: 'muted' }, width),
      ]),
    ),
    blockOf(legendRows(chart)),
  ];
}

function rowOf(text: string, size = textSize): Row {
  return { spans: [{ text, tone: 'ink', bold: true }], size, sign: null, gap: 0, rule: false };
}

/** @param count columns, of which each is `width` wide; they come out as even as can be */
export function flowNotes(blocks: readonly TextBlock[], count: number, width: number): NoteColumns {
  const heights = blocks.map(({ height }) => height + noteGap);
  let most = Math.max(...heights, heights.reduce((sum, each) => sum + each, 0) / count);
  while ((columnsOf(heights, most).at(-1) ?? 0) >= count) most += 4;
  const notes: PlacedNote[] = [];
  const columns = columnsOf(heights, most);
  const filled = new Array<number>(count).fill(0);
  for (const [place, block] of blocks.entries()) {
    const column = columns[place] ?? 0;
    const y = filled[column] ?? 0;
    notes.push({ block, x: column * (width + columnGap), y });
    filled[column] = y + (heights[place] ?? 0);
  }
  const height = Math.max(...notes.map((note) => note.y + note.block.height));
  const last = columns.at(-1) ?? 0;
  return { notes, width: (last + 1) * (width + columnGap) - columnGap, height };
}

/** The column of each block, from 0, where none is higher than `most`. */
function columnsOf(heights: readonly number[], most: number): number[] {
  let [column, y] = [0, 0];
  return heights.map((height) => {
    if (y > 0 && y + height > most) [column, y] = [column + 1, 0];
    y += height;
    return column;
  });
}

function legendRows(chart: Chart): Row[] {
  // Boxes that are actors and not states mean nothing by their colour.
  const used = new Set(chart.id === 'actors' ? [] : meaningsOf(chart).values());
  const glyphs = glyphsOf(chart);
  const row = (sign: Glyph | Meaning, text: string): Row => ({
    ...{ spans: [{ text, tone: 'muted', bold: false }], size: textSize },
    ...{ sign, gap: 1, rule: false },
  });
  return [
    ...meanings.filter((each) => used.has(each)).map((each) => row(each, shades[each].says)),
    ...glyphTexts.filter(([glyph]) => glyphs.has(glyph)).map(([glyph, says]) => row(glyph, says)),
  ];
}

const glyphTexts: readonly (readonly [Glyph, string])[] = [
  ['clock', 'after a time'],
  ['check', 'it is done'],
  ['cross', 'it failed'],
  ['bolt', 'at once'],
  ['loop', 'runs while in the state'],
];

function glyphsOf({ arrows, root }: Chart): Set<Glyph> {
  const states = statesOf(root);
  const labels = [
    ...states.flatMap(({ inner }) => inner),
    ...arrows.flatMap((each) => each.labels),
  ];
  const used = new Set(labels.flatMap(({ sign }) => glyphOf[sign] ?? []));
  if (states.some(({ invokes }) => invokes.length > 0)) used.add('loop');
  return used;
}
