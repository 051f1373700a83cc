import type { JobDefinition } from '../../domain/jobDefinition.ts';
import type { ChannelConnection, Row } from '../channel.ts';
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
  const [row] = await connection.query<Row[]>(selectJob, [jobId]);
  if (row === undefined) throw new Error(`auditJob: there is no job ${jobId}`);
  const definition = JSON.parse(row.definition as string) as JobDefinition;
  const target = audit.target ?? (row.name as string);
  await writeAudit(connection, { ...audit, target, group: groupOf(definition) });
}

/** The group that a job is in; those without one are in `default`. */
export function groupOf(definition: Pick<JobDefinition, 'group'>): string {
  return definition.group ?? 'default';
}

const selectJob = `/* auditJob */ SELECT job.name, job_revision.definition
  FROM job JOIN job_revision
    ON job_revision.job_id = job.job_id AND job_revision.revision = job.revision
  WHERE job.job_id = ?`;
