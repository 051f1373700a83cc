import type { ChannelConnection } from '../connection/channel.ts';
import { Conditions } from '../connection/conditions.ts';
import type { Parameter } from '../connection/queryable.ts';
import { integer, nullable, only, type RawRow, rawRow, rowOf } from '../rows/row.ts';
import { type BackedUpTable, ownNotes } from './backupTables.ts';

interface TablePage {
  readonly table: BackedUpTable;
  readonly columns: readonly string[];
  /** Only rows about ticks from then on; null: all. */
  readonly aheadOf: Date | null;
}

const rowsMax = 2_000;
const bytesMax = 4 * 1024 * 1024;
/** So many rows are looked at by a statement that may find none of them wanted. */
const windowRows = 100_000;

/**
 * A table, page by page along its primary key. Of a table with large values a page has as many rows
 * as fit: their lengths are looked at first. Identifiers come from `backupTables` and from the
 * database itself, never from outside.
 */
export async function* tablePages(
  connection: ChannelConnection,
  page: TablePage,
): AsyncGenerator<readonly RawRow[]> {
  if (page.aheadOf !== null) return yield* windowsOf(connection, page, page.aheadOf);
  for (let last: RawRow | null = null; ; ) {
    const rows: RawRow[] = await readPage(connection, page, last);
    if (rows.length === 0) return;
    yield rows;
    last = rows.at(-1) ?? null;
  }
}

async function readPage(
  connection: ChannelConnection,
  { table, columns }: TablePage,
  last: RawRow | null,
): Promise<RawRow[]> {
  const { where, parameters } = after(table, last);
  const order = `FROM ${quoted(table.table)} ${where} ORDER BY ${table.key.map(quoted).join(', ')}`;
  const limit = await fitting(connection, table, order, parameters);
  if (limit === 0) return [];
  const names = columns.map(quoted).join(', ');
  const sql = `/* readBackup ${table.table} */ SELECT ${names} ${order} LIMIT ?`;
  return connection.rows(rawRow, sql, [...parameters, limit]);
}

/** How many of the next rows are no more than a page together; one at least, if there is any. */
async function fitting(
  connection: ChannelConnection,
  { table, big }: BackedUpTable,
  order: string,
  parameters: readonly Parameter[],
): Promise<number> {
  if (big === undefined) return rowsMax;
  const length = `IFNULL(LENGTH(${quoted(big)}), 0)`;
  const sql = `/* readBackup ${table} lengths */ SELECT ${length} AS bytes ${order} LIMIT ?`;
  const lengths = await connection.rows(only(integer), sql, [...parameters, rowsMax]);
  let bytes = 0;
  const end = lengths.findIndex((length, place) => {
    bytes += length;
    return bytes > bytesMax && place > 0;
  });
  return end === -1 ? lengths.length : end;
}

/** Behind the last row in the order of the key, in the form that uses the index. */
function after({ table, key }: BackedUpTable, last: RawRow | null) {
  const conditions = new Conditions();
  if (table === 'note') conditions.need('note_name NOT IN (?)', ownNotes);
  if (last !== null) {
    const [first = ''] = key;
    conditions.need(`${quoted(first)} >= ?`, last[first] ?? null);
    const branches = key.map((column, place) => {
      const equal = key.slice(0, place).map((each) => `${quoted(each)} = ?`);
      return `(${[...equal, `${quoted(column)} > ?`].join(' AND ')})`;
    });
    const values = key.flatMap((_, place) =>
      key.slice(0, place + 1).map((each) => last[each] ?? null),
    );
    conditions.need(`(${branches.join(' OR ')})`, ...values);
  }
  return conditions;
}

/** No index serves the ticks of runs, so all of the table is gone through, a part at once. */
async function* windowsOf(connection: ChannelConnection, { columns }: TablePage, aheadOf: Date) {
  const [ends] = await connection.rows(runEnds, selectEnds);
  const names = columns.map(quoted).join(', ');
  const sql = `/* readBackup run ahead */ SELECT ${names} FROM run
    WHERE run_id >= ? AND run_id < ? AND (scheduled_for >= ? OR scheduled_until >= ?)
    ORDER BY run_id`;
  const lastId = ends?.lastId ?? -1;
  for (let from = ends?.firstId ?? 0; from <= lastId; from += windowRows) {
    const rows = await connection.rows(rawRow, sql, [from, from + windowRows, aheadOf, aheadOf]);
    if (rows.length > 0) yield rows;
  }
}

function quoted(name: string): string {
  return `\`${name.replaceAll('`', '')}\``;
}

const runEnds = rowOf({ firstId: nullable(integer), lastId: nullable(integer) });
const selectEnds = `/* readBackup run ends */ SELECT MIN(run_id) AS first_id, MAX(run_id) AS last_id
  FROM run`;
