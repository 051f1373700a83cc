import { type Column, nullable, text } from '../row.ts';

/** No group has a name with a control character. */
const noGroup = '\u0001';

/**
 * What the column of groups has of jobs of these groups, for an `IN (?)`: nothing of those that
 * name none, which are in `default`. Of no groups it is what no row has, as no list may be empty.
 */
export function columnsOfGroups(groups: readonly string[]): readonly string[] {
  if (groups.length === 0) return [noGroup];
  return groups.map((group) => (group === 'default' ? '' : group));
}

/** The group of a row of `target`; null where a job has none. */
export function groupOfColumn(column: unknown): string {
  return (column as string | null) || 'default';
}

/** The column `target.job_group`; null where a job has none. */
export const groupColumn: Column<string> = {
  ...text,
  read: (value) => nullable(text).read(value) || 'default',
};
