import { readSpans, type Span, wordsOf } from './readSpans.ts';

/** A part of a page, as `readMarkdown` finds it. */
export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly id: string; readonly spans: Spans }
  | { readonly kind: 'paragraph'; readonly spans: Spans }
  | { readonly kind: 'code'; readonly info: string; readonly text: string }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | {
      readonly kind: 'list';
      readonly isNumbered: boolean;
      readonly items: readonly (readonly Block[])[];
    }
  | {
      readonly kind: 'table';
      readonly headings: readonly Spans[];
      readonly rows: readonly (readonly Spans[])[];
    };

type Spans = readonly Span[];

/**
 * Reads the Markdown that the pages of this package are written in: headings (`#`), paragraphs,
 * fenced code, lists, tables, quotes (`>`). Comments (`<!-- … -->`) are left out; other HTML is
 * text.
 */
export function readMarkdown(text: string): Block[] {
  const ids = new Map<string, number>();
  return readBlocks(text.replace(/^<!--[\s\S]*?-->\n?/gm, '').split('\n'), ids);
}

function readBlocks(lines: readonly string[], ids: Map<string, number>): Block[] {
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? '';
    const kind = Object.keys(begins).find((each) => begins[each as Kind].test(line)) as Kind;
    const length = kind === undefined ? 1 : lengthOf(kind, lines.slice(at));
    if (kind !== undefined) blocks.push(makers[kind](lines.slice(at, at + length), ids));
    at += length;
  }
  return blocks;
}

/** How the first line of each kind begins; the first kind that fits it is. */
const begins = {
  code: /^```/,
  heading: /^#{1,6} /,
  table: /^\|/,
  quote: /^>/,
  list: /^(?:[-*]|\d+\.) /,
  paragraph: /\S/,
} as const;
type Kind = keyof typeof begins;

function lengthOf(kind: Kind, lines: readonly string[]): number {
  const end = lines.findIndex((line, at) => at > 0 && isOver(kind, line, lines[at + 1] ?? ''));
  if (end === -1) return lines.length;
  return kind === 'code' ? end + 1 : end;
}

/** Whether a line is no longer part of a block; of code it is its last one. */
function isOver(kind: Kind, line: string, next: string): boolean {
  if (kind === 'code') return begins.code.test(line);
  if (kind === 'heading') return true;
  if (kind === 'table' || kind === 'quote') return !begins[kind].test(line);
  // An empty line ends a list unless what follows is indented or the next item.
  if (kind === 'list' && line.trim() === '') return !/^ {2}/.test(next) && !begins.list.test(next);
  if (kind === 'list') return /^\S/.test(line) && isAnother(line) && !begins.list.test(line);
  return line.trim() === '' || isAnother(line);
}

function isAnother(line: string): boolean {
  return Object.entries(begins).some(([kind, begin]) => kind !== 'paragraph' && begin.test(line));
}

const makers: Record<Kind, (lines: readonly string[], ids: Map<string, number>) => Block> = {
  code: ([first = '', ...rest]) => {
    const isClosed = begins.code.test(rest.at(-1) ?? '');
    const text = (isClosed ? rest.slice(0, -1) : rest).join('\n');
    return { kind: 'code', info: first.slice(3).trim(), text };
  },
  heading: ([line = ''], ids) => {
    const [marks = '', ...words] = line.split(' ');
    const spans = readSpans(words.join(' ').trim());
    return { kind: 'heading', level: marks.length, id: newId(wordsOf(spans), ids), spans };
  },
  table: (lines) => {
    const [headings = [], , ...rows] = lines.map(cellsOf);
    return { kind: 'table', headings, rows };
  },
  quote: (lines, ids) => {
    return {
      kind: 'quote',
      blocks: readBlocks(
        lines.map((line) => line.replace(/^> ?/, '')),
        ids,
      ),
    };
  },
  list: (lines, ids) => {
    const items: string[][] = [];
    for (const line of lines) {
      if (begins.list.test(line)) items.push([line.replace(begins.list, '')]);
      else items.at(-1)?.push(line.replace(/^ {1,4}/, ''));
    }
    const isNumbered = /^\d/.test(lines[0] ?? '');
    return { kind: 'list', isNumbered, items: items.map((item) => readBlocks(item, ids)) };
  },
  paragraph: (lines) => {
    return { kind: 'paragraph', spans: readSpans(lines.map((line) => line.trim()).join(' ')) };
  },
};

function cellsOf(line: string): Spans[] {
  const inner = line.trim().replace(/^\||\|$/g, '');
  const cells = inner.split(/(?<!\\)\|/);
  return cells.map((cell) => readSpans(cell.trim().replaceAll('\\|', '|')));
}

/** The anchor of a heading, as GitHub makes it. */
function newId(words: string, ids: Map<string, number>): string {
  const id = words
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-');
  const before = ids.get(id) ?? 0;
  ids.set(id, before + 1);
  return before === 0 ? id : `${id}-${before}`;
}
