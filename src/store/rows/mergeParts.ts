/** A row, and the number of the part that it is of. */
interface RowOfPart {
  readonly partNo: number;
}

/** What is read next of a part: what comes behind a row, or from the beginning. */
interface PartToRead<Part, Row> {
  readonly part: Part;
  readonly partNo: number;
  readonly after: Row | null;
}

interface Merging<Part, Row> {
  /** The first so many rows of each, in the order of each part. */
  readonly read: (parts: readonly PartToRead<Part, Row>[], rowsMax: number) => Promise<Row[]>;
  /** As for a sort. */
  readonly compare: (one: Row, other: Row) => number;
  readonly rowsMax: number;
}

/**
 * The first so many rows of some parts together, each of which an index has in their order. Of each
 * a few are read, and then more of those that may have more among the first: so hardly more rows
 * are read than found, where a server would read as many of each part.
 */
export async function mergeParts<Part, Row extends RowOfPart>(
  parts: readonly Part[],
  { read, compare, rowsMax }: Merging<Part, Row>,
): Promise<Row[]> {
  let rows: Row[] = [];
  let open: PartToRead<Part, Row>[] = parts.map((part, partNo) => ({ part, partNo, after: null }));
  let size = Math.min(rowsMax, Math.ceil((2 * rowsMax) / Math.max(parts.length, 2)));
  while (open.length > 0) {
    const found = await read(open, size);
    rows = [...rows, ...found].sort(compare).slice(0, rowsMax);
    const last = rows.length < rowsMax ? undefined : rows.at(-1);
    open = open.flatMap(({ part, partNo }) => {
      const own = found.filter((row) => row.partNo === partNo).sort(compare);
      const after = own.length < size ? undefined : own.at(-1);
      const mayHaveMore = after && (last === undefined || compare(after, last) < 0);
      return mayHaveMore ? [{ part, partNo, after }] : [];
    });
    size = Math.min(rowsMax, 4 * size);
  }
  return rows;
}

/**
 * How many rows to look at for so many more that meet conditions, where this share of those before
 * did. So many at once at most: MariaDB makes a table of a list of a thousand ids.
 */
export function nextWindow(wanted: number, share: number): number {
  return Math.min(windowMax, share === 0 ? windowMax : Math.ceil((1.2 * wanted) / share) + 10);
}

export const windowMax = 900;
