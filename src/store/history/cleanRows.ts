import type { Taken } from '../../domain/commit/cleaningPace.ts';
import type { Channel } from '../connection/channel.ts';
import type { Parameter } from '../connection/queryable.ts';

/** Runs statements one by one, each with its parameters and, last, the rows that it may take. */
export async function cleanRows(
  channel: Channel,
  statements: readonly (readonly [sql: string, ...parameters: Parameter[]])[],
  rowsMax = 500,
): Promise<Taken> {
  let rows = 0;
  let isMore = false;
  for (const [sql, ...parameters] of statements) {
    const affected = await channel.change(sql, [...parameters, rowsMax]);
    rows += affected;
    isMore ||= affected === rowsMax;
  }
  return { isMore, rows };
}
