import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import { placementKey, placementOf } from '../../domain/targeting/placementOf.ts';
import type { ChannelConnection } from '../connection/channel.ts';
import { integer, only } from '../rows/row.ts';
import { bumpTargetingVersion } from './versions.ts';

/**
 * The id of the target of a definition; a row is made when no job has had the same before. In a
 * transaction that holds the job's stripes. 0: any node may take it.
 */
export async function ensureTarget(
  connection: ChannelConnection,
  definition: JobDefinition,
): Promise<number> {
  const placement = placementOf(definition);
  if (placement === null) return 0;
  const { text, hash } = placementKey(placement);
  const { definitionFormat, jobGroup = '', user = null } = placement;
  const [known] = await connection.rows(only(integer), selectTarget, [hash]);
  if (known !== undefined) return known;
  // IGNORE: somebody else may have made it meanwhile, and this waited for that transaction's end.
  await connection.change(insertTarget, [hash, text, definitionFormat, jobGroup, user]);
  await bumpTargetingVersion(connection);
  const [targetId] = await connection.rows(only(integer), selectTarget, [hash]);
  if (targetId === undefined) throw new Error('ensureTarget: the row that was made is not there');
  return targetId;
}

/**
 * What the column `job_group` has of jobs of these groups, for an `IN (?)`: nothing of those that
 * name none, which are in `default`. Of no groups it is what no row has, as no list may be empty.
 */
export function columnsOfGroups(groups: readonly string[]): readonly string[] {
  if (groups.length === 0) return [noGroup];
  return groups.map((group) => (group === 'default' ? '' : group));
}

/** No group has a name with a control character. */
const noGroup = '\u0001';

const selectTarget = '/* ensureTarget read */ SELECT target_id FROM target WHERE target_hash = ?';
const insertTarget = `/* ensureTarget */ INSERT IGNORE INTO target
    (target_hash, target, definition_format, job_group, user_name) VALUES (?, ?, ?, ?, ?)`;
