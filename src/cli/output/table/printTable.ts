import { Help } from 'commander';
import { printNote } from '../print.ts';
import { type Cell, paint, shownTexts } from './cells.ts';
import { columnGap, type FittedColumn, fitColumns, textAt } from './fitColumns.ts';
import { cutToWidth, textWidth } from './textWidth.ts';

export interface Column<Item> {
  readonly heading: string;
  readonly of: (item: Item) => string | Cell;
  /** The greatest is the first to be left out where the terminal is narrow; absent: it stays. */
  readonly rank?: number;
  /** On a terminal only --wide shows it. */
  readonly isWideOnly?: boolean;
  /** Its texts may be cut to so many characters, and end in an ellipsis then. */
  readonly cutTo?: number;
  /** Its texts may be broken into lines of so many characters. */
  readonly wrapTo?: number;
  /** Where it is left out its texts stand below their rows; `-` is none. */
  readonly isBelow?: boolean;
}

export interface TableOptions {
  /** All columns and whole texts, however wide the terminal is. */
  readonly wide?: boolean;
}

/**
 * Prints rows in columns under headings, so that they fit the terminal. What is no terminal gets
 * all columns, whole texts, and one word for each instant.
 */
export function printTable<Item>(
  columns: readonly Column<Item>[],
  items: readonly Item[],
  { wide = false }: TableOptions = {},
): void {
  const { columns: width, isTTY } = process.stdout;
  const isAll = !isTTY || wide;
  const offered = columns.filter(({ isWideOnly }) => isAll || !isWideOnly);
  const made = offered.map((column) => makeColumn(column, items, isTTY));
  // A terminal that does not know its width says 0.
  const widthMax = isAll ? Number.POSITIVE_INFINITY : width || 80;
  const fitted = fitColumns(made, widthMax);
  const shown = fitted.flatMap((fit) => {
    const column = made[fit.index];
    return column === undefined ? [] : [{ ...column, ...fit }];
  });
  const lines = [lineOf(shown.map(({ heading, width }) => pad(heading, width)))];
  const kept = new Set(fitted.map(({ index }) => offered[index]));
  const below = made.filter((_, index) => offered[index]?.isBelow && !kept.has(offered[index]));
  const indent = (shown[0]?.width ?? 0) + columnGap;
  for (const row of items.keys()) {
    lines.push(...linesOf(shown, row), ...linesBelow(below, row, indent, widthMax));
  }
  process.stdout.write(`${lines.join('\n')}\n`);
  const left = columns.filter((column) => !kept.has(column) && !column.isBelow);
  if (left.length === 0) return;
  printNote(`Not shown: ${left.map(({ heading }) => heading).join(', ')}; see --wide.`);
}

type MadeColumn = ReturnType<typeof makeColumn>;

function makeColumn<Item>(column: Column<Item>, items: readonly Item[], isTerminal: boolean) {
  const { heading, of, rank, cutTo, wrapTo } = column;
  const given = items.map(of);
  const cells = given.map((cell) => shownTexts(cell, isTerminal));
  const colours = given.map((cell) => (typeof cell === 'string' ? undefined : cell.colour));
  return { heading, cells, colours, rank, widthMin: cutTo ?? wrapTo, isCut: cutTo !== undefined };
}

/** One row; it has several lines where a text is broken. */
function linesOf(columns: readonly (MadeColumn & FittedColumn)[], row: number): string[] {
  const blocks = columns.map(({ cells, colours, isCut, level, width }) => {
    const text = textAt(cells[row] ?? [], level);
    const parts = isCut ? [cutToWidth(text, width)] : wrap(text, width);
    return parts.map((part) => paint(part, colours[row]) + pad('', width - textWidth(part)));
  });
  const height = blocks.reduce((most, { length }) => Math.max(most, length), 0);
  const blanks = columns.map(({ width }) => pad('', width));
  return Array.from({ length: height }, (_, at) =>
    lineOf(blocks.map((block, column) => block[at] ?? blanks[column] ?? '')),
  );
}

/** Of each the shortest text. */
function linesBelow(
  columns: readonly MadeColumn[],
  row: number,
  indent: number,
  widthMax: number,
): string[] {
  const texts = columns.map(({ cells }) => textAt(cells[row] ?? [], Infinity));
  return texts
    .filter((text) => text !== '-')
    .flatMap((text) => wrap(text, widthMax - indent).map((part) => pad('', indent) + part));
}

function lineOf(cells: readonly string[]): string {
  return cells.join(' '.repeat(columnGap)).trimEnd();
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}

function wrap(text: string, width: number): string[] {
  if (textWidth(text) <= width) return [text];
  const help = Object.assign(new Help(), { displayWidth: textWidth, minWidthToWrap: 1 });
  return help.boxWrap(text, width).split('\n');
}
