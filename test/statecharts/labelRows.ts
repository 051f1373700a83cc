import type { ArrowLabel, ArrowSign } from './chart.ts';
import { measureText } from './measureText.ts';
import type { Glyph, Row, Span } from './textBlock.ts';
import { wrappedRows } from './textBlock.ts';

const size = 12;
const widthMax = 200;

/**
 * Events that are handled without leaving a state, as many on a row as fit into `rowWidthMax`: the
 * frame of a machine has room for several, a state's box for one or half of one.
 */
export function innerRows(labels: readonly ArrowLabel[], rowWidthMax: number): Row[] {
  const rows: { spans: Span[]; size: number; glyph: Glyph | null; gap: number; rule: boolean }[] =
    [];
  for (const label of labels) {
    const spans = innerSpans(label);
    const [head, ...tail] = spans;
    if (head === undefined) continue;
    const last = rows.at(-1);
    const between: Span = { text: '  ·', tone: 'muted', bold: false };
    if (last !== undefined && widthOf([...last.spans, between, ...spans]) <= rowWidthMax) {
      last.spans.push(between, { ...head, text: `  ${head.text}` }, ...tail);
    } else if (widthOf(spans) <= rowWidthMax) {
      rows.push({ spans, size, glyph: glyphs[label.sign], gap: 3, rule: false });
    } else {
      rows.push(...labelRows(label, 3).map((row) => ({ ...row, spans: [...row.spans] })));
    }
  }
  return rows;
}

function innerSpans(label: ArrowLabel): Span[] {
  const spans: Span[] = [{ text: label.names.join(', '), tone: 'strong', bold: true }];
  const guard = guardSpan(label);
  if (guard !== null) spans.push(guard);
  const actions = label.actions.join(', ');
  if (actions !== '') spans.push({ text: ` / ${actions}`, tone: 'plain', bold: false });
  const said = label.description || (label.isForbidden ? 'is ignored' : '');
  if (said !== '') spans.push({ text: ` ${said}`, tone: 'muted', bold: false });
  return spans;
}

/** The rows of one transition: event and guard, then its actions, then what is said about it. */
export function labelRows(label: ArrowLabel, gap: number, rule = false): Row[] {
  const rows: Row[] = [];
  const add = (spans: readonly Span[], glyph: Glyph | null): void => {
    const isFirst = rows.length === 0;
    rows.push({ spans, size, glyph, gap: isFirst ? gap : 0, rule: isFirst && rule });
  };
  const lines = linesOf(label.names);
  for (const [place, line] of lines.entries()) {
    const spans: Span[] = [{ text: line, tone: 'strong', bold: true }];
    const guard = place === lines.length - 1 ? guardSpan(label) : null;
    const fits = guard === null || widthOf([...spans, guard]) <= widthMax;
    if (guard !== null && fits) spans.push(guard);
    add(spans, place === 0 ? glyphs[label.sign] : null);
    if (guard !== null && !fits) add([{ ...guard, text: guard.text.trim() }], null);
  }
  if (lines.length === 0) add([{ text: 'at once', tone: 'strong', bold: true }], 'bolt');
  if (label.actions.length > 0) {
    for (const line of linesOf(label.actions, '/ ')) {
      add([{ text: line, tone: 'plain', bold: false }], null);
    }
  }
  if (label.isForbidden && label.description === '') {
    add([{ text: 'is ignored here', tone: 'muted', bold: false }], null);
  }
  rows.push(...wrappedRows(label.description, { size: 11, tone: 'muted' }, widthMax));
  return rows;
}

const glyphs: Record<ArrowSign, Glyph | null> = {
  event: null,
  after: 'clock',
  done: 'check',
  error: 'cross',
  always: 'bolt',
};

function guardSpan({ guard }: ArrowLabel): Span | null {
  return guard === null ? null : { text: ` [${guard}]`, tone: 'plain', bold: false };
}

/** Names joined by commas, as many on a line as fit; nothing is broken inside a name. */
function linesOf(names: readonly string[], lead = ''): string[] {
  const lines: string[] = [];
  for (const [place, name] of names.entries()) {
    const piece = place < names.length - 1 ? `${name},` : name;
    const line = lines.at(-1);
    const longer = line === undefined ? lead + piece : `${line} ${piece}`;
    if (line !== undefined && measureText(longer, { size, bold: true }) > widthMax) {
      lines.push(piece);
    } else {
      lines[Math.max(0, lines.length - 1)] = longer;
    }
  }
  return lines;
}

function widthOf(spans: readonly Span[]): number {
  return spans.reduce((sum, { text, bold }) => sum + measureText(text, { size, bold }), 0);
}
