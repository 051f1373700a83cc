import type { ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import type { Base64Bytes } from '../rows/asBase64.ts';
import type { Decoder } from '../rows/row.ts';

export type Parameter =
  | (string | number | boolean | Date | null)
  | (Uint8Array | Base64Bytes)
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

  /** One writing statement; resolves to what the server says of it, e.g. `insertId`. */
  write(sql: string, parameters?: readonly Parameter[]): Promise<ResultSetHeader> {
    return this.query<ResultSetHeader>(sql, parameters);
  }

  /** The same; resolves to the number of rows it matched. */
  async change(sql: string, parameters?: readonly Parameter[]): Promise<number> {
    return (await this.write(sql, parameters)).affectedRows;
  }
}
