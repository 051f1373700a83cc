import { stripVTControlCharacters } from 'node:util';
import { type Piece, wrapWords } from '../output/lines/wrapWords.ts';
import { textWidth } from '../output/table/textWidth.ts';

type Cell = readonly Piece[];
const gap = '  ';
/** A column is not made narrower than its longest word, unless that is longer than this. */
const wordMax = 30;

/** A table as lines: where it is wider than `width`, the cells of its wide columns are wrapped. */
export function tableLines(
  headings: readonly Cell[],
  rows: readonly (readonly Cell[])[],
  width: number,
): string[] {
  const all = [headings, ...rows];
  const texts = headings.map((_, column) =>
    all.map((row) => (row[column] ?? []).map(({ text }) => text).join('')),
  );
  const natural = texts.map((column) => longest(column));
  const least = texts.map((column) => {
    return Math.min(wordMax, longest(column.flatMap((text) => text.split(/\s+/))));
  });
  const widths = fit(natural, least, width - gap.length * (headings.length - 1));
  const lines = all.map((row) => rowLines(row, widths));
  const rule = widths.map((each) => '-'.repeat(each)).join(gap);
  const [first = [], ...rest] = lines;
  return [...first, rule, ...rest.flat()];
}

/** Takes from the widest column until all fit, or none can be made narrower. */
function fit(natural: readonly number[], least: readonly number[], width: number): number[] {
  const widths = [...natural];
  for (let over = sum(widths) - width; over > 0; over -= 1) {
    const wide = widths.map((each, column) => (each > (least[column] ?? 0) ? each : 0));
    const widest = Math.max(...wide);
    if (widest === 0) break;
    widths[wide.indexOf(widest)] = widest - 1;
  }
  return widths;
}

function longest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map(textWidth));
}

function rowLines(row: readonly Cell[], widths: readonly number[]): string[] {
  const cells = widths.map((width, column) => wrapWords(row[column] ?? [], width));
  const height = Math.max(1, ...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, at) =>
    widths
      .map((width, column) => {
        const text = cells[column]?.[at] ?? '';
        return text + ' '.repeat(Math.max(0, width - textWidth(stripVTControlCharacters(text))));
      })
      .join(gap)
      .trimEnd(),
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
