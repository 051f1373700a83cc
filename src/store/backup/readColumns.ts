import type { ChannelConnection, Row } from '../channel.ts';

/** The columns of a table of this database, in their order; none: there is no such table. */
export async function readColumns(
  connection: ChannelConnection,
  table: string,
): Promise<readonly string[]> {
  const rows = await connection.query<Row[]>(selectColumns, [table]);
  return rows.map((row) => row.name as string);
}

const selectColumns = `/* readColumns */ SELECT COLUMN_NAME AS name FROM information_schema.COLUMNS
  WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? ORDER BY ORDINAL_POSITION`;
