import type { ChannelConnection } from '../connection/channel.ts';
import { Conditions } from '../connection/conditions.ts';
import type { Parameter } from '../connection/queryable.ts';
import { type Decoder, type RawRow, rawRow } from '../rows/row.ts';

/** A table that is read in the order of its jobs, a page at a time. */
export interface JobOrdered<T> {
  /** Of a row. */
  readonly decode: Decoder<T>;
  /** `SELECT … FROM table`, named in a comment, with the job's id and the columns of the key. */
  readonly select: string;
  /** A further condition on every row, with its parameters; absent: none. */
  readonly where?: string;
  readonly parameters?: readonly Parameter[];
  /** The order within a job: columns of an index that begins with the job's id. */
  readonly key: readonly string[];
  readonly rowsMax: number;
}

/**
 * Reads a table in the order of its jobs, so that several tables can be gone through side by side
 * with a page of each in memory. Keyset paging: first the rest of the job at hand, then whole jobs,
 * so that every page is one walk along an index, however long the table is.
 */
export class JobPages<T> {
  readonly #connection: ChannelConnection;
  readonly #table: JobOrdered<T>;
  readonly #jobIds: readonly number[] | null;
  #page: readonly RawRow[] = [];
  #place = 0;
  #last: RawRow | null = null;
  #isAtEnd = false;
  /** Rows read so far. */
  rows = 0;

  /** `jobIds`: only of these jobs; null: of all. */
  constructor(
    connection: ChannelConnection,
    table: JobOrdered<T>,
    jobIds: readonly number[] | null,
  ) {
    this.#connection = connection;
    this.#table = table;
    this.#jobIds = jobIds;
  }

  /** The job of the next row, or null at the end. */
  async nextJob(): Promise<number | null> {
    const row = await this.#peek();
    return row === null ? null : jobIdOf(row);
  }

  /** The next rows of that job, as many as are in memory; none: there are no more of it. */
  async take(jobId: number): Promise<T[]> {
    const first = await this.#peek();
    if (first === null || jobIdOf(first) !== jobId) return [];
    const from = this.#place;
    while (this.#page[this.#place]?.job_id === jobId) this.#place += 1;
    return this.#page.slice(from, this.#place).map(this.#table.decode);
  }

  /** All rows of that job; for tables with few of each. */
  async takeAll(jobId: number): Promise<T[]> {
    const all: T[] = [];
    for (;;) {
      const rows = await this.take(jobId);
      if (rows.length === 0) return all;
      all.push(...rows);
    }
  }

  async #peek(): Promise<RawRow | null> {
    while (this.#place >= this.#page.length && !this.#isAtEnd) await this.#turn();
    return this.#page[this.#place] ?? null;
  }

  async #turn(): Promise<void> {
    const { rowsMax } = this.#table;
    const last = this.#last;
    const isOnePerJob = this.#table.key.length === 0;
    let rows = last === null || isOnePerJob ? [] : await this.#read(...this.#restOfJob(last));
    if (rows.length < rowsMax) {
      const after = last === null ? -1 : jobIdOf(last);
      const more = await this.#read('job_id > ?', [after], rowsMax - rows.length);
      if (rows.length + more.length < rowsMax) this.#isAtEnd = true;
      rows = rows.concat(more);
    }
    this.#page = rows;
    this.#place = 0;
    this.#last = rows.at(-1) ?? last;
    this.rows += rows.length;
  }

  /** `key > last` in the order of the key's columns, written out, as indexes are used by. */
  #restOfJob(last: RawRow): [string, Parameter[]] {
    const { key } = this.#table;
    const branches = key.map((column, place) => {
      const equal = key.slice(0, place).map((before) => `${before} = ?`);
      return `(${[...equal, `${column} > ?`].join(' AND ')})`;
    });
    const values = key.flatMap((_, place) =>
      key.slice(0, place + 1).map((column) => last[column] ?? null),
    );
    return [`job_id = ? AND (${branches.join(' OR ')})`, [jobIdOf(last), ...values]];
  }

  #read(where: string, values: Parameter[], rowsMax = this.#table.rowsMax): Promise<RawRow[]> {
    const { select, where: also, parameters = [], key } = this.#table;
    const conditions = new Conditions();
    conditions.need(where, ...values);
    if (also !== undefined) conditions.need(also, ...parameters);
    conditions.need('job_id IN (?)', this.#jobIds ?? undefined);
    const order = ['job_id', ...key].join(', ');
    const sql = `${select} ${conditions.where} ORDER BY ${order} LIMIT ?`;
    return this.#connection.rows(rawRow, sql, [...conditions.parameters, rowsMax]);
  }
}

function jobIdOf(row: RawRow): number {
  return Number(row.job_id);
}
