/** Rows of a list: from `first` up to, not including, `end`. */
export interface RowRange {
  readonly first: number;
  readonly end: number;
}

/**
 * The rows of a list that are drawn in the next frame, which has time for so many new ones. A row
 * that is wanted stays where it stands in the document, and a new one takes the place of one that
 * is not: to move one there takes as long as to make one. One that nobody needs stays meanwhile.
 * @param before what is drawn
 * @param newMax new ones of this frame
 * @returns what is drawn; `before` itself when all that is wanted is
 */
export function nextRows(
  before: readonly number[],
  wanted: RowRange,
  newMax: number,
): readonly number[] {
  const drawn = new Set(before);
  const added: number[] = [];
  for (let place = wanted.first; place < wanted.end && added.length < newMax; place += 1) {
    if (!drawn.has(place)) added.push(place);
  }
  if (added.length === 0) return before;
  added.reverse();
  const rows = before.map((place) => (isIn(place, wanted) ? place : (added.pop() ?? place)));
  return [...rows, ...added.reverse()];
}

/**
 * The rows nearer to the order of the list, in which they are read, too.
 * @param movesMax rows that are moved in this frame
 * @returns `rows` itself when they are in order already
 */
export function inOrder(rows: readonly number[], movesMax: number): readonly number[] {
  const ordered = [...rows];
  let moves = 0;
  for (const [at, row] of rows.toSorted((a, b) => a - b).entries()) {
    if (ordered[at] === row) continue;
    if (moves === movesMax) break;
    moves += 1;
    ordered.splice(ordered.indexOf(row), 1);
    ordered.splice(at, 0, row);
  }
  return moves === 0 ? rows : ordered;
}

/** A frame has so much time for rows, and leaves the other half for what else there is. */
const frameMs = 6;
const rowsMin = 2;
const rowsMax = 10;

/**
 * How many rows are changed in the next frame.
 * @param rows so many were, or fewer
 * @param tookMs all that was done for that frame
 */
export function rowsThatFit(rows: number, tookMs: number): number {
  if (tookMs <= frameMs) return Math.min(rowsMax, rows + 1);
  return Math.max(rowsMin, Math.floor((rows * frameMs) / tookMs));
}

function isIn(place: number, { first, end }: RowRange): boolean {
  return place >= first && place < end;
}
