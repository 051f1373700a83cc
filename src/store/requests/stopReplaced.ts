import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import { replacesRun } from '../../domain/policies/replacesRun.ts';
import type { ChannelConnection } from '../connection/channel.ts';
import { joinedRevision } from '../rows/joinedRevision.ts';
import { jsonOf, only } from '../rows/row.ts';

/**
 * A launch that is asked for now takes the place of what executes, when that is how the job wants
 * its overlaps: its node is told to stop it. The caller holds the stripes.
 */
export async function stopReplaced(
  connection: ChannelConnection,
  jobId: number,
  requestId: string,
): Promise<void> {
  const decode = only(jsonOf<JobDefinition>());
  const [definition] = await connection.rows(decode, selectDefinition, [jobId]);
  if (definition === undefined || !replacesRun(definition.overlap)) return;
  await connection.change(requestStops, [jobId, jobId, requestId]);
}

const selectDefinition = `/* stopReplaced job */ SELECT job_revision.definition
  FROM ${joinedRevision}
  WHERE job.job_id = ? AND job.removed_no = 0`;
const requestStops = `/* stopReplaced */ UPDATE slot
  SET stop_requested_at = IFNULL(stop_requested_at, NOW(3))
  WHERE job_id = ? AND node_name IN (SELECT node_name FROM pending
    WHERE pending.job_id = ? AND pending.request_id = ?) AND state = 'executing'`;
