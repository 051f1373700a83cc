import { anyTarget } from '../../domain/targeting/takeable.ts';
import type { Channel } from '../connection/channel.ts';
import { integer, only } from '../rows/row.ts';
import { columnsOfGroups } from '../targeting/columnsOfGroups.ts';
import { columnOfSort, hasConditions, type JobPageQuery } from './selectPage.ts';

/** More than this are not read side by side: a group has few, unless each job has its own. */
const targetsMax = 8;

/**
 * The targets that the jobs of a page have, where it is selected by groups and names alone: then
 * an index finds its jobs in their order. Null: they are many, or other conditions are to be tried.
 */
export async function targetsOfPage(
  channel: Channel,
  { groups, ...others }: JobPageQuery,
): Promise<readonly number[] | null> {
  if (groups === undefined || columnOfSort(others) !== 'name') return null;
  if (others.isPaused !== undefined || hasConditions(others)) return null;
  const sql = `/* targetsOfPage */ SELECT target_id FROM target WHERE job_group IN (?) LIMIT ?`;
  const some = [columnsOfGroups(groups), targetsMax + 1];
  const targets = await channel.rows(only(integer), sql, some);
  if (targets.length > targetsMax) return null;
  return groups.includes('default') ? [anyTarget[0], ...targets] : targets;
}
