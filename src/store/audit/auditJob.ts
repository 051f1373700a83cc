import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import { hideSecrets } from '../../domain/job/secretEnv.ts';
import type { ChannelConnection } from '../connection/channel.ts';
import { joinedRevision } from '../rows/joinedRevision.ts';
import { jsonOf, rowOf, text } from '../rows/row.ts';
import { type AuditEntry, writeAudit } from './writeAudit.ts';

/** A change that has to do with one job, whose group the log is given. */
interface JobAudit extends Omit<AuditEntry, 'target' | 'group'> {
  /** When it is not the job's name. */
  readonly target?: string;
}

/**
 * Records a change of what belongs to a job. The caller holds the job's stripes.
 * @param job its id, when it has not been read
 */
export async function auditJob(
  connection: ChannelConnection,
  job: number | ReturnType<typeof auditableJob>,
  audit: JobAudit,
): Promise<void> {
  if (connection.by === null) return;
  const { name, definition } = typeof job === 'number' ? await readJob(connection, job) : job;
  await writeAudit(connection, { target: name, ...audit, group: groupOf(definition) });
}

/** The group that a job is in; those without one are in `default`. */
export function groupOf(definition: Pick<JobDefinition, 'group'>): string {
  return definition.group ?? 'default';
}

/** A job as the audit log keeps it: without the values of its secrets. */
export function auditedJob(job: {
  readonly definition: JobDefinition;
  readonly isPaused: boolean;
  readonly resumeAtMs?: number | null;
  readonly reason?: string | null;
}) {
  const { definition, isPaused, reason = null, resumeAtMs = null } = job;
  const resumeAt = resumeAtMs === null ? null : new Date(resumeAtMs).toISOString();
  const why = reason === null ? {} : { reason };
  return { definition: hideSecrets(definition), isPaused, resumeAt, ...why };
}

async function readJob(connection: ChannelConnection, jobId: number) {
  const [job] = await connection.rows(auditableJob, selectJob, [jobId]);
  if (job === undefined) throw new Error(`auditJob: there is no job ${jobId}`);
  return job;
}

const auditableJob = rowOf({ name: text, definition: jsonOf<JobDefinition>() });
const selectJob = `/* auditJob */ SELECT job.name, job_revision.definition
  FROM ${joinedRevision}
  WHERE job.job_id = ?`;
