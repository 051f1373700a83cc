/**
 * The form of a backup: lines of JSON. A head; then of each table a line that names it and its
 * columns, and a line for each of its rows; at the end a line that counts the rows and has the
 * SHA-256 of all bytes before it, so that what was cut off or changed is known from what is whole.
 */
export const backupFormat = 1;

/** A file that is changed in no place by hand has no longer line: an output of 8 MiB in base64. */
export const lineBytesMax = 64 * 1024 * 1024;

export interface BackupHead {
  readonly statecron: 'backup';
  readonly format: number;
  /** Of the program that wrote it. */
  readonly version: string;
  /** The database's clock in the snapshot, epoch milliseconds. */
  readonly takenMs: number;
  /** Whether the runs, their outputs and the audit log are in it. */
  readonly hasHistory: boolean;
  /** The migrations that its database had. */
  readonly migrations: readonly string[];
}

export interface BackupTable {
  readonly table: string;
  readonly columns: readonly string[];
}

export interface BackupEnd {
  /** By table, how many rows it has. */
  readonly rows: Readonly<Record<string, number>>;
  readonly sha256: string;
}

/** A value of a row as the database has it. */
export type BackupValue = string | number | null | Date | Uint8Array;

/** Instants and bytes are objects, which no other value is. */
export function encodeRow(values: readonly unknown[]): string {
  return JSON.stringify(values.map(encodeValue));
}

/** The row of a line, or null when it has not so many values. */
export function decodeRow(line: string, columns: number): BackupValue[] | null {
  const values = parseJson(line);
  if (!Array.isArray(values) || values.length !== columns) return null;
  const decoded = values.map(decodeValue);
  return decoded.includes(undefined) ? null : (decoded as BackupValue[]);
}

/** The head of a line, or what it is instead. */
export function decodeHead(line: string): BackupHead | { readonly fault: 'foreign' | 'newer' } {
  const head = parseJson(line) as Partial<BackupHead> | null;
  if (typeof head !== 'object' || head?.statecron !== 'backup') return { fault: 'foreign' };
  const { format, version, takenMs, hasHistory, migrations } = head;
  if (typeof format === 'number' && format > backupFormat) return { fault: 'newer' };
  const isSound =
    format === backupFormat &&
    typeof version === 'string' &&
    Number.isSafeInteger(takenMs) &&
    typeof hasHistory === 'boolean' &&
    isTexts(migrations);
  return isSound ? (head as BackupHead) : { fault: 'foreign' };
}

/** The line that begins a table, or null. */
export function decodeTable(line: string): BackupTable | null {
  const table = parseJson(line) as Partial<BackupTable> | null;
  if (typeof table !== 'object' || typeof table?.table !== 'string') return null;
  return isTexts(table.columns) && table.columns.length > 0 ? (table as BackupTable) : null;
}

/** The last line, or null. */
export function decodeEnd(line: string): BackupEnd | null {
  const { end } = (parseJson(line) ?? {}) as { end?: Partial<BackupEnd> };
  if (typeof end?.sha256 !== 'string' || typeof end.rows !== 'object') return null;
  return end as BackupEnd;
}

function encodeValue(value: unknown): unknown {
  if (value instanceof Date) return { t: value.getTime() };
  if (value instanceof Uint8Array) return { b: Buffer.from(value).toString('base64') };
  return value;
}

/** Undefined: no value of a row. */
function decodeValue(value: unknown): BackupValue | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  const { t, b } = (typeof value === 'object' ? value : {}) as { t?: unknown; b?: unknown };
  if (typeof t === 'number' && Math.abs(t) <= 8.64e15) return new Date(t);
  return typeof b === 'string' ? Buffer.from(b, 'base64') : undefined;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null; // the caller says what is wrong with the line
  }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}
