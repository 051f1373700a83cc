import { textWidth } from './textWidth.ts';

/** One column as texts: of each cell one or several, from the long to the short. */
export interface TextColumn {
  readonly heading: string;
  readonly cells: readonly (readonly string[])[];
  /** Absent: it always stays. Of the others the greatest goes first. */
  readonly rank?: number | undefined;
  /** It may be cut, or broken into lines, to this width. */
  readonly widthMin?: number | undefined;
}

/** Which column is shown, by which of its texts, in which width. */
export interface FittedColumn {
  readonly index: number;
  readonly level: number;
  readonly width: number;
}

interface Choice {
  readonly index: number;
  readonly column: TextColumn;
  level: number;
  width: number;
}

/** What stands between two columns. */
export const columnGap = 2;

/**
 * Fits the columns of a table into a width. First is decided which ones stay: the least important
 * go until the rest fits with its shortest texts. What room is left then makes texts longer, those
 * of the most important columns first. With `widthMax` infinite all is shown.
 */
export function fitColumns(columns: readonly TextColumn[], widthMax: number): FittedColumn[] {
  const all = columns.map((column, index): Choice => {
    const level = column.cells.reduce((most, { length }) => Math.max(most, length - 1), 0);
    return { index, column, level, width: leastWidth(column, level) };
  });
  let kept = all;
  while (roomOf(kept, widthMax) < 0) {
    const last = kept.reduce((worst, each) => (rankOf(each) > rankOf(worst) ? each : worst));
    if (last.column.rank === undefined) break;
    kept = kept.filter((each) => each !== last);
  }
  const important = [...kept].sort((a, b) => rankOf(a) - rankOf(b));
  for (const choice of important) widen(choice, choice.width + roomOf(kept, widthMax));
  return kept.map(({ index, level, width }) => ({ index, level, width }));
}

function rankOf({ column }: Choice): number {
  return column.rank ?? 0;
}

/** How much of the width is left, negative when it is too much. */
function roomOf(choices: readonly Choice[], widthMax: number): number {
  return choices.reduce((room, { width }) => room - width - columnGap, widthMax + columnGap);
}

/** Takes the longest texts that fit into the width; those that can be cut fit into any. */
function widen(choice: Choice, widthMax: number): void {
  for (let level = 0; level <= choice.level; level += 1) {
    const width = fullWidth(choice.column, level);
    if (width > widthMax) continue;
    choice.level = level;
    choice.width = width;
    return;
  }
  if (choice.column.widthMin !== undefined) choice.width = Math.max(choice.width, widthMax);
}

function leastWidth(column: TextColumn, level: number): number {
  const full = fullWidth(column, level);
  const { heading, widthMin = full } = column;
  return Math.min(full, Math.max(widthMin, heading.length));
}

function fullWidth({ heading, cells }: TextColumn, level: number): number {
  return cells.reduce(
    (width, texts) => Math.max(width, textWidth(textAt(texts, level))),
    heading.length,
  );
}

/** The text of a cell; one that has no shorter one shows the last that it has. */
export function textAt(texts: readonly string[], level: number): string {
  return texts[Math.min(level, texts.length - 1)] ?? '';
}
