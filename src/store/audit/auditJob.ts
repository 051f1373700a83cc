import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import type { ChannelConnection } from '../connection/channel.ts';
import { joinedRevision } from '../rows/joinedRevision.ts';
import { jsonOf, rowOf, text } from '../rows/row.ts';
import { type AuditEntry, writeAudit } from './writeAudit.ts';

/** A change that has to do with one job, whose name and group the log is given. */
interface JobAudit extends Omit<AuditEntry, 'target' | 'group'> {
  /** When it is not the job's name. */
  readonly target?: string;
}

/**
 * Notes a change of what belongs to a job. The caller holds the job's stripes. Reads the job only
 * when there is somebody to name.
 */
export async function auditJob(
  connection: ChannelConnection,
  jobId: number,
  audit: JobAudit,
): Promise<void> {
  if (connection.by === null) return;
  const [job] = await connection.rows(namedJob, selectJob, [jobId]);
  if (job === undefined) throw new Error(`auditJob: there is no job ${jobId}`);
  const { target = job.name } = audit;
  await writeAudit(connection, { ...audit, target, group: groupOf(job.definition) });
}

/** The group that a job is in; those without one are in `default`. */
export function groupOf(definition: Pick<JobDefinition, 'group'>): string {
  return definition.group ?? 'default';
}

const namedJob = rowOf({ name: text, definition: jsonOf<JobDefinition>() });
const selectJob = `/* auditJob */ SELECT job.name, job_revision.definition
  FROM ${joinedRevision}
  WHERE job.job_id = ?`;
