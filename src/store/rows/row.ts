/** How one column is read. */
export interface Column<T> {
  /** @throws Error when the server answers with another kind of value. */
  readonly read: (value: unknown) => T;
  /** What the field's name has behind the column's: `startedAtMs` reads `started_at`. */
  readonly unit: '' | 'Ms';
}

/** A row of a table that is not known by its columns, as the driver reads it. */
export type RawRow = Readonly<Record<string, string | number | Date | Buffer | null>>;
export const rawRow: Decoder<RawRow> = (row) => row as RawRow;

/** Makes one row of a statement's answer a typed object, e.g. `ReturnType<typeof dueSlot>`. */
export type Decoder<T> = (row: Readonly<Record<string, unknown>>) => T;
type Columns = Readonly<Record<string, Column<unknown>>>;
type Decoded<C> = { readonly [K in keyof C]: C[K] extends Column<infer T> ? T : never };

/**
 * The only place where a row gets its types: `rowOf({ jobId: integer, startedAtMs: instantMs })`
 * reads the columns `job_id` and `started_at`. A column that is missing, or holds what its type
 * does not, is an error of the statement and throws.
 */
export function rowOf<C extends Columns>(columns: C): Decoder<Decoded<C>> {
  const fields = Object.entries(columns).map(([field, { read, unit }]) => ({
    field,
    read,
    column: columnName(unit === '' ? field : field.slice(0, -unit.length)),
  }));
  return (row) => {
    const decoded: Record<string, unknown> = {};
    for (const { field, read, column } of fields) {
      try {
        decoded[field] = read(row[column]);
      } catch (error) {
        throw new Error(`The column ${column} cannot be read`, { cause: error });
      }
    }
    return decoded as Decoded<C>;
  };
}

/** Several columns of one kind: `rowOf({ ...each(text, 'name', 'zone'), jobId: integer })`. */
export function each<T, Field extends string>(column: Column<T>, ...fields: readonly Field[]) {
  return Object.fromEntries(fields.map((field) => [field, column])) as {
    readonly [F in Field]: Column<T>;
  };
}

/** Of statements with one column: the value itself, as in `rows(only(integer), selectIds)`. */
export function only<T>({ read }: Column<T>): Decoder<T> {
  return (row) => read(Object.values(row)[0]);
}

function columnName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function columnOf<T>(kind: string, read: (value: unknown) => T | undefined): Column<T> {
  return {
    unit: '',
    read(value) {
      const found = read(value);
      if (found === undefined) throw new Error(`${kind} was expected, it has ${typeof value}`);
      return found;
    },
  };
}

export const text: Column<string> = columnOf('text', (value) =>
  typeof value === 'string' ? value : undefined,
);

/** Sums, large numbers and fractions come as text. */
function numberOf(value: unknown): number {
  return (typeof value === 'string' ? Number(value) : value) as number;
}

export const integer: Column<number> = columnOf('a whole number', (value) => {
  const number = numberOf(value);
  return Number.isSafeInteger(number) ? number : undefined;
});

/** A number with a fraction. */
export const decimal: Column<number> = columnOf('a number', (value) => {
  const number = numberOf(value);
  return Number.isFinite(number) ? number : undefined;
});

/** A column or condition that is 0 or 1. */
export const flag: Column<boolean> = columnOf('0 or 1', (value) => {
  const number = numberOf(value);
  return number === 0 || number === 1 ? number === 1 : undefined;
});

export const bytes: Column<Buffer> = columnOf('bytes', (value) =>
  Buffer.isBuffer(value) ? value : undefined,
);

/** DATETIME, in milliseconds since 1970 (UTC). */
export const instantMs: Column<number> = {
  ...columnOf('a time', (value) => (value instanceof Date ? value.getTime() : undefined)),
  unit: 'Ms',
};

export function nullable<T>({ read, unit }: Column<T>): Column<T | null> {
  return { unit, read: (value) => (value === null ? null : read(value)) };
}

/** Text of a closed set of words; one that a later version wrote passes as it is. */
export function wordOf<T extends string>(): Column<T> {
  return text as Column<string> as Column<T>;
}

/** JSON text that only this program writes; its shape is not checked again. */
export function jsonOf<T>(shape: (parsed: T) => T = (parsed) => parsed): Column<T> {
  return { unit: '', read: (value) => shape(JSON.parse(text.read(value)) as T) };
}
