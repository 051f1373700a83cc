import mysql, { type Connection, type ConnectionOptions, type RowDataPacket } from 'mysql2/promise';

/**
 * Runs statements on a connection of their own, each within the time-out (ms).
 * @returns the rows of the last one
 */
export async function runStatements(
  place: ConnectionOptions,
  statements: readonly string[],
  timeout: number,
): Promise<RowDataPacket[]> {
  const connection: Connection = await mysql.createConnection({ connectTimeout: 5_000, ...place });
  connection.on('error', () => undefined); // the statement under way says it too
  try {
    let rows: RowDataPacket[] = [];
    for (const sql of statements) {
      [rows] = await connection.query<RowDataPacket[]>({ sql, timeout });
    }
    return rows;
  } finally {
    connection.destroy();
  }
}
