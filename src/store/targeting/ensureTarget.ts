import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import { placementKey, placementOf } from '../../domain/targeting/placementOf.ts';
import type { ChannelConnection } from '../connection/channel.ts';
import { integer, only } from '../rows/row.ts';

/**
 * The id of what a definition asks of its nodes; a row of `target` is made when nobody asked for
 * the same before. In a transaction that holds the job's stripes. 0: any node may take it.
 */
export async function ensureTarget(
  connection: ChannelConnection,
  definition: JobDefinition,
): Promise<number> {
  const placement = placementOf(definition);
  if (placement === null) return 0;
  const { text, hash } = placementKey(placement);
  const { definitionFormat, jobGroup = '' } = placement;
  const [known] = await connection.rows(only(integer), selectTarget, [hash]);
  if (known !== undefined) return known;
  // IGNORE: somebody else may have made it meanwhile, and this waited for that transaction's end.
  await connection.change(insertTarget, [hash, text, definitionFormat, jobGroup]);
  await bumpTargetingVersion(connection);
  const [targetId] = await connection.rows(only(integer), selectTarget, [hash]);
  if (targetId === undefined) throw new Error('ensureTarget: the row that was made is not there');
  return targetId;
}

/**
 * Tells every node that groups, targets or every-node jobs are others than before. In the
 * transaction that changes them, after its stripes and as its last lock.
 */
export async function bumpTargetingVersion(connection: ChannelConnection): Promise<void> {
  await connection.change(bump);
}

const selectTarget = '/* ensureTarget read */ SELECT target_id FROM target WHERE target_hash = ?';
const insertTarget = `/* ensureTarget */ INSERT IGNORE INTO target
    (target_hash, target, definition_format, job_group) VALUES (?, ?, ?, ?)`;
/** A row that is missing is put back, with a number that no node has seen. */
const bump = `/* bumpTargetingVersion */ INSERT INTO targeting_version (version_id, version)
  VALUES (1, UNIX_TIMESTAMP()) ON DUPLICATE KEY UPDATE version = version + 1`;
