import { type ArrowLabel, type ArrowSign, type ChartState, transitionText } from './chart.ts';
import { measureText } from './measureText.ts';
import type { Glyph, Row, Span } from './textBlock.ts';

const size = 11;
const sentenceMax = 130;

/** Events that are handled without leaving a state, as many on a row as fit into `widthMax`. */
export function innerRows(labels: readonly ArrowLabel[], widthMax: number): Row[] {
  const rows: (Omit<Row, 'spans'> & { readonly spans: Span[] })[] = [];
  for (const label of labels) {
    const spans = innerSpans(label);
    const [head, ...tail] = spans;
    if (head === undefined) continue;
    const last = glyphOf[label.sign] === null ? rows.at(-1) : undefined;
    const between: Span = { text: '  ·', tone: 'muted', bold: false };
    if (last !== undefined && widthOf([...last.spans, between, ...spans]) <= widthMax) {
      last.spans.push(between, { ...head, text: `  ${head.text}` }, ...tail);
    } else if (widthOf(spans) <= widthMax) {
      rows.push({ spans, size, sign: glyphOf[label.sign], gap: 2, rule: false });
    } else {
      rows.push(...labelRows(label, widthMax, 2).map((row) => ({ ...row, spans: [...row.spans] })));
    }
  }
  return rows;
}

function innerSpans(label: ArrowLabel): Span[] {
  const spans: Span[] = [{ text: label.names.join(', '), tone: 'ink', bold: true }];
  const guard = guardSpan(label);
  if (guard !== null) spans.push(guard);
  if (label.isForbidden) spans.push({ text: ' is ignored', tone: 'muted', bold: false });
  return spans;
}

/**
 * The rows of one transition: what makes it happen, its guard, and what is said about it where that
 * is short. What it does is in its tooltip (`labelTooltip`), or no machine would fit a screen.
 */
export function labelRows(label: ArrowLabel, widthMax: number, gap: number, rule = false): Row[] {
  const rows: Row[] = [];
  const add = (spans: readonly Span[], sign: Glyph | null): void => {
    const isFirst = rows.length === 0;
    rows.push({ spans, size, sign, gap: isFirst ? gap : 0, rule: isFirst && rule });
  };
  const lines = linesOf(label.names, widthMax);
  for (const [place, line] of lines.entries()) {
    const spans: Span[] = [{ text: line, tone: 'ink', bold: true }];
    const guard = place === lines.length - 1 ? guardSpan(label) : null;
    const fits = guard === null || widthOf([...spans, guard]) <= widthMax;
    if (guard !== null && fits) spans.push(guard);
    add(spans, place === 0 ? glyphOf[label.sign] : null);
    if (guard !== null && !fits) add([{ ...guard, text: guard.text.trim() }], null);
  }
  if (lines.length === 0) add([{ text: 'at once', tone: 'ink', bold: true }], 'bolt');
  const said: Span = { text: label.description, tone: 'muted', bold: false };
  if (said.text !== '' && widthOf([said]) <= sentenceMax) add([said], null);
  return rows;
}

/** The tooltip of a transition: `start.refused / returnPermit: the row is no longer ours`. */
export function labelTooltip(label: ArrowLabel): string {
  const event = label.names.length === 0 ? 'at once' : '';
  const said = label.description || (label.isForbidden ? 'is ignored here' : '');
  return `${event}${transitionText(label)}${said === '' ? '' : `: ${said}`}`;
}

/** The tooltip of a state: what it is, what it runs, and what it does on entry and exit. */
export function stateTooltip(state: ChartState): string {
  const { description, entry, exit, id, inner, invokes } = state;
  return [
    id,
    description,
    ...(invokes.length === 0 ? [] : [`runs while it is there: ${invokes.join(', ')}`]),
    ...(entry.length === 0 ? [] : [`on entry: ${entry.join(', ')}`]),
    ...(exit.length === 0 ? [] : [`on exit: ${exit.join(', ')}`]),
    ...inner.map(labelTooltip),
  ].join('\n');
}

/** What is drawn before the event of a transition. */
export const glyphOf: Record<ArrowSign, Glyph | null> = {
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
function linesOf(names: readonly string[], widthMax: number): string[] {
  const lines: string[] = [];
  for (const [place, name] of names.entries()) {
    const piece = place < names.length - 1 ? `${name},` : name;
    const line = lines.at(-1);
    const longer = line === undefined ? piece : `${line} ${piece}`;
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
