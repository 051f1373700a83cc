import type { ChannelConnection } from '../connection/channel.ts';
import { only, text } from '../rows/row.ts';
import { columnsOfGroups } from '../targeting/columnsOfGroups.ts';

const others = 'a job of another group';

/**
 * How jobs are named in a fault, by their names. Chains cross groups, and who may see some groups
 * is not told the names of the rest.
 */
export async function nameOwn(
  connection: ChannelConnection,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const groups = connection.by?.groups ?? null;
  if (groups === null) return new Map(names.map((name) => [name, JSON.stringify(name)]));
  const keys = [names, columnsOfGroups(groups)];
  const own = new Set(await connection.rows(only(text), selectOwn, keys));
  return new Map(names.map((name) => [name, own.has(name) ? JSON.stringify(name) : others]));
}

const selectOwn = `/* nameOwn */ SELECT job.name
  FROM job LEFT JOIN target ON target.target_id = job.target_id
  WHERE job.removed_no = 0 AND job.name IN (?) AND IFNULL(target.job_group, '') IN (?)`;
