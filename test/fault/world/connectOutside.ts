import mysql, { type Connection } from 'mysql2/promise';

/** A connection of nobody's node. The server may be broken by another fault while it is open. */
export async function connectOutside(url: string): Promise<Connection> {
  const connection = await mysql.createConnection(url);
  connection.on('error', () => undefined); // the next statement says it
  return connection;
}
