import type { ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import { partsOfRows } from '../rows/partsOfRows.ts';
import { type Decoder, instantMs, only } from '../rows/row.ts';

export type Parameter =
  | (string | number | boolean | Date | null)
  | (Uint8Array | Expression)
  | readonly Parameter[];

/** A DATETIME as a parameter. */
export function dateOf(instantMs: number | null): Date | null {
  return instantMs === null ? null : new Date(instantMs);
}

/** What statements are sent to: a channel, or the connection of a transaction. */
export abstract class Queryable {
  /** One statement. */
  abstract query<T = RowDataPacket[]>(sql: string, parameters?: readonly Parameter[]): Promise<T>;

  /** The rows of one statement, each made by `decode`. */
  async rows<T>(decode: Decoder<T>, sql: string, parameters?: readonly Parameter[]): Promise<T[]> {
    return (await this.query(sql, parameters)).map(decode);
  }

  /** The one row of a statement that always has one. */
  async row<T>(decode: Decoder<T>, sql: string, parameters?: readonly Parameter[]): Promise<T> {
    const [row] = await this.rows(decode, sql, parameters);
    if (row === undefined) throw new Error(`The database returned no row: ${sql.slice(0, 40)}`);
    return row;
  }

  /** The rows of a list of keys of any length, by one statement for each `keysMax` of them. */
  async rowsOf<T>(
    decode: Decoder<T>,
    sql: string,
    keys: readonly Parameter[],
    keysMax = 500,
  ): Promise<T[]> {
    const rows: T[] = [];
    for (let at = 0; at < keys.length; at += keysMax) {
      rows.push(...(await this.rows(decode, sql, [keys.slice(at, at + keysMax)])));
    }
    return rows;
  }

  /** The database's clock, epoch milliseconds. */
  readNow(): Promise<number> {
    return this.row(only(instantMs), '/* readNow */ SELECT NOW(3)');
  }

  /** One writing statement; resolves to what the server says of it, e.g. `insertId`. */
  write(sql: string, parameters?: readonly Parameter[]): Promise<ResultSetHeader> {
    return this.query<ResultSetHeader>(sql, parameters);
  }

  /** The same; resolves to the number of rows it matched. */
  async change(sql: string, parameters?: readonly Parameter[]): Promise<number> {
    return (await this.write(sql, parameters)).affectedRows;
  }

  /**
   * Inserts rows by a statement that ends with `VALUES ?`, as many at once as fit any packet.
   * Resolves to how many were written, and to the number that the first one was given.
   */
  async insert(
    sql: string,
    rows: readonly (readonly Parameter[])[],
  ): Promise<{ readonly written: number; readonly firstId: number }> {
    let written = 0;
    let firstId = 0;
    for (const part of partsOfRows(rows)) {
      const header = await this.write(sql, [part]);
      written += header.affectedRows;
      firstId ||= header.insertId;
    }
    return { written, firstId };
  }
}

/** What stands in a statement as it is. */
interface Expression {
  toSqlString(): string;
}

/** The database's clock, as a value of a row that is written. */
export const atNow: Expression = { toSqlString: () => 'NOW(3)' };

/**
 * The driver writes bytes as hex, by which the largest output (8 MiB) would not fit a packet of
 * 16 MiB, MariaDB's default.
 */
export function asBase64({ buffer, byteOffset, byteLength }: Uint8Array): Expression {
  const text = Buffer.from(buffer, byteOffset, byteLength).toString('base64');
  return { toSqlString: () => `FROM_BASE64('${text}')` };
}
