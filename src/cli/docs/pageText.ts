import type { Block } from '../../http/guide/readMarkdown.ts';
import { type Span, wordsOf } from '../../http/guide/readSpans.ts';
import { type Piece, wrapWords } from '../output/lines/wrapWords.ts';
import { tableLines } from './tableLines.ts';

/** A page as text for a terminal, no line of it wider than `width` but those of code. */
export function pageText(blocks: readonly Block[], width: number, isStyled: boolean): string {
  const style = isStyled ? escapes : plain;
  return `${linesOf(blocks, width, style).join('\n')}\n`;
}

/** What stands before and behind what is marked. */
interface Style {
  readonly bold: readonly [string, string];
  readonly code: readonly [string, string];
  /** Shows code in a sentence where there are no colours. */
  readonly tick: string;
}

const plain: Style = { bold: ['', ''], code: ['', ''], tick: '`' };
const escapes: Style = { bold: ['\x1b[1m', '\x1b[22m'], code: ['\x1b[36m', '\x1b[39m'], tick: '' };

function linesOf(blocks: readonly Block[], width: number, style: Style): string[] {
  return blocks.flatMap((block, at) => {
    const lines = blockLines(block, width, style);
    return at === 0 ? lines : ['', ...lines];
  });
}

function blockLines(block: Block, width: number, style: Style): string[] {
  switch (block.kind) {
    case 'heading': {
      const words = wordsOf(block.spans);
      const [before, after] = style.bold;
      const lines = wrapWords([{ text: words, before, after }], width);
      const mark = block.level === 1 ? '=' : '-';
      return block.level > 2 ? lines : [...lines, mark.repeat(Math.min(words.length, width))];
    }
    case 'paragraph':
      return wrapWords(piecesOf(block.spans, style), width);
    case 'code': {
      const [before, after] = style.code;
      return block.text
        .split('\n')
        .map((line) => (line === '' ? '' : `    ${before}${line}${after}`));
    }
    case 'quote':
      return linesOf(block.blocks, width - 4, style).map((line) => `  | ${line}`.trimEnd());
    case 'list':
      return block.items.flatMap((item, at) => {
        const mark = block.isNumbered ? `${at + 1}. ` : '- ';
        const lines = linesOf(item, width - mark.length, style);
        return lines.map((line, row) => {
          const indent = row === 0 ? mark : ' '.repeat(mark.length);
          return `${indent}${line}`.trimEnd();
        });
      });
    case 'table': {
      const rows = block.rows.map((row) =>
        row.map((cell) => piecesOf(cell, { ...style, tick: '' })),
      );
      const [before, after] = style.bold;
      const headings = block.headings.map((cell) => [{ text: wordsOf(cell), before, after }]);
      return tableLines(headings, rows, width);
    }
  }
}

function piecesOf(spans: readonly Span[], style: Style, around = ['', '']): Piece[] {
  return spans.flatMap((span): Piece[] => {
    const [before = '', after = ''] = around;
    if (span.kind === 'strong') return piecesOf(span.spans, style, [...style.bold]);
    if (span.kind === 'emphasis') return piecesOf(span.spans, style, around);
    if (span.kind === 'link') {
      const isForeign = /^https?:/.test(span.to) && wordsOf(span.spans) !== span.to;
      const to = isForeign ? [{ text: ` (${span.to})`, before, after }] : [];
      return [...piecesOf(span.spans, style, around), ...to];
    }
    if (span.kind === 'image') return [{ text: `[picture: ${span.text}]`, before, after }];
    if (span.kind === 'text') return [{ text: span.text, before, after }];
    return [
      {
        text: `${style.tick}${span.text}${style.tick}`,
        before: style.code[0],
        after: style.code[1],
      },
    ];
  });
}
