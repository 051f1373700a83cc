import { measureText, wrapText } from './measureText.ts';
import type { Meaning } from './stateMeaning.ts';

export type Glyph = 'clock' | 'check' | 'cross' | 'bolt' | 'loop';
export type Tone = 'ink' | 'plain' | 'muted';

export interface Span {
  readonly text: string;
  readonly tone: Tone;
  readonly bold: boolean;
}

export interface Row {
  readonly spans: readonly Span[];
  readonly size: number;
  /** Drawn before the text: what makes it happen, or the colour of a meaning. */
  readonly sign: Glyph | Meaning | null;
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
const signRoom = 1.35;

/** Puts rows into a block and measures it; the padding is not part of it. */
export function blockOf(rows: readonly Row[]): TextBlock {
  const width = Math.max(0, ...rows.map(rowWidth));
  const height = rows.reduce((sum, row) => sum + row.gap + rowHeight(row), 0);
  return { rows, width: Math.ceil(width), height: Math.ceil(height) };
}

export function rowHeight(row: Row): number {
  return row.size * lineHeightFactor;
}

/** Where a row's text begins, right of its sign. */
export function textIndent(row: Row): number {
  return row.sign === null ? 0 : row.size * signRoom;
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
    sign: null,
    gap: place === 0 ? (style.gap ?? 0) : 0,
    rule: false,
  }));
}
