import { measureText, wrapText } from './measureText.ts';

export type Glyph = 'clock' | 'check' | 'cross' | 'bolt' | 'loop' | 'enter' | 'leave';
export type Tone = 'strong' | 'plain' | 'muted';

export interface Span {
  readonly text: string;
  readonly tone: Tone;
  readonly bold: boolean;
}

export interface Row {
  readonly spans: readonly Span[];
  readonly size: number;
  readonly glyph: Glyph | null;
  /** Free space above the row, and whether a hairline is drawn in the middle of it. */
  readonly gap: number;
  readonly rule: boolean;
}

/** Rows of text one below the other, with the room that they need. */
export interface TextBlock {
  readonly rows: readonly Row[];
  readonly width: number;
  readonly height: number;
}

const lineHeightFactor = 1.4;
const glyphRoom = 1.35;

/** Puts rows into a block and measures it; the padding is not part of it. */
export function blockOf(rows: readonly Row[]): TextBlock {
  const width = Math.max(0, ...rows.map(rowWidth));
  const height = rows.reduce((sum, row) => sum + row.gap + rowHeight(row), 0);
  return { rows, width: Math.ceil(width), height: Math.ceil(height) };
}

export function rowHeight(row: Row): number {
  return row.size * lineHeightFactor;
}

/** Where a row's text begins, right of its glyph. */
export function textIndent(row: Row): number {
  return row.glyph === null ? 0 : row.size * glyphRoom;
}

function rowWidth(row: Row): number {
  const texts = row.spans.map(({ text, bold }) => measureText(text, { size: row.size, bold }));
  return textIndent(row) + texts.reduce((sum, width) => sum + width, 0);
}

/** Rows of one tone for a text of any length, broken at `widthMax`. */
export function wrappedRows(
  text: string,
  style: { size: number; tone: Tone; bold?: boolean; gap?: number },
  widthMax: number,
): Row[] {
  const bold = style.bold ?? false;
  return wrapText(text, { size: style.size, bold }, widthMax).map((line, place) => ({
    spans: [{ text: line, tone: style.tone, bold }],
    size: style.size,
    glyph: null,
    gap: place === 0 ? (style.gap ?? 0) : 0,
    rule: false,
  }));
}
