import type { Decoder } from '../rows/row.ts';
import type { Parameter, Queryable } from './queryable.ts';

/** A SELECT with its parameters. */
export type Select = readonly [sql: string, parameters: readonly Parameter[]];

/**
 * The rows of many selects alike, each of which is a short look into an index of its own: as one
 * condition on all of their keys a server would read far more. It opens the table once for each of
 * a statement.
 */
export async function rowsOfEach<T>(
  database: Queryable,
  decode: Decoder<T>,
  selects: readonly Select[],
): Promise<T[]> {
  const rows: T[] = [];
  for (let at = 0; at < selects.length; at += selectsMax) {
    const some = selects.slice(at, at + selectsMax);
    const sql = some.map(([select]) => `(${select})`).join(' UNION ALL ');
    const parameters = some.flatMap(([, each]) => each);
    rows.push(...(await database.rows(decode, `/* rowsOfEach */ ${sql}`, parameters)));
  }
  return rows;
}

const selectsMax = 50;
