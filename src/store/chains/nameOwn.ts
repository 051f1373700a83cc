import type { ChannelConnection, Row } from '../channel.ts';

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
  const rows = await connection.query<Row[]>(selectGroups, [names]);
  const own = new Set(
    rows
      .filter((row) => groups.includes((row.job_group as string | null) || 'default'))
      .map((row) => row.name as string),
  );
  return new Map(names.map((name) => [name, own.has(name) ? JSON.stringify(name) : others]));
}

const selectGroups = `/* nameOwn */ SELECT job.name, target.job_group
  FROM job LEFT JOIN target ON target.target_id = job.target_id
  WHERE job.removed_no = 0 AND job.name IN (?)`;
