import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import { hideSecrets } from '../../domain/job/secretEnv.ts';

/** What the audit log keeps of a job. */
interface AuditedJob {
  readonly definition: JobDefinition;
  readonly isPaused: boolean;
  readonly resumeAt: string | null;
}

/** A job as the audit log tells of it: without the values of its secrets. */
export function auditedJob(job: {
  readonly definition: JobDefinition;
  readonly isPaused: boolean;
  readonly resumeAtMs?: number | null;
}): AuditedJob {
  const { definition, isPaused, resumeAtMs = null } = job;
  const resumeAt = resumeAtMs === null ? null : new Date(resumeAtMs).toISOString();
  return { definition: hideSecrets(definition), isPaused, resumeAt };
}
