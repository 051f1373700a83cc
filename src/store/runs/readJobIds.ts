import type { Queryable } from '../connection/queryable.ts';
import { integer, only } from '../rows/row.ts';

/** The jobs that have the name, or had it before they were removed. */
export function readJobIds(database: Queryable, name: string): Promise<number[]> {
  return database.rows(only(integer), selectJobIds, [name]);
}

const selectJobIds = '/* readJobIds */ SELECT job_id FROM job WHERE name = ?';
