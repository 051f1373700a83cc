import type { Queryable } from '../connection/queryable.ts';
import { instantMs, only } from '../rows/row.ts';

/** The database's clock, epoch milliseconds. */
export async function readNow(database: Queryable): Promise<number> {
  const [nowMs] = await database.rows(only(instantMs), '/* readNow */ SELECT NOW(3)');
  if (nowMs === undefined) throw new Error('readNow: the database answered no row');
  return nowMs;
}
