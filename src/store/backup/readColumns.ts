import type { ChannelConnection } from '../connection/channel.ts';
import { only, text } from '../rows/row.ts';

/** The columns of a table of this database, in their order; none: there is no such table. */
export function readColumns(
  connection: ChannelConnection,
  table: string,
): Promise<readonly string[]> {
  return connection.rows(only(text), selectColumns, [table]);
}

const selectColumns = `/* readColumns */ SELECT COLUMN_NAME AS name FROM information_schema.COLUMNS
  WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? ORDER BY ORDINAL_POSITION`;
