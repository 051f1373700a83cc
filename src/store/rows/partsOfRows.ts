/** Of one statement. */
const rowsMax = 500;
/** An ASCII character takes two bytes of a statement at most, others three: 3 MiB of 16 MiB. */
const charactersMax = 1024 * 1024;

/**
 * Rows in lists that are each written by one statement: as many as fit a packet of 16 MiB,
 * MariaDB's default. One that is longer has a statement of its own.
 */
export function partsOfRows<Row extends readonly unknown[]>(rows: readonly Row[]): Row[][] {
  const parts: Row[][] = [];
  let part: Row[] = [];
  let left = 0;
  for (const row of rows) {
    const characters = row.reduce((sum: number, value) => sum + lengthOf(value), 0);
    if (part.length === 0 || part.length === rowsMax || characters > left) {
      part = [];
      parts.push(part);
      left = charactersMax;
    }
    part.push(row);
    left -= characters;
  }
  return parts;
}

const lengthOf = (value: unknown): number => (typeof value === 'string' ? value.length : 0);
