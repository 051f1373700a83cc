import type { JobDefinition } from '../../../domain/job/jobDefinition.ts';
import type { JobChangeKind } from '../../../domain/policies/jobChange.ts';
import type { Channel } from '../../connection/channel.ts';
import { changeOnce } from '../../idempotency/changeOnce.ts';
import { findJob, type JobInForce, jobMissing, readJobInForce } from '../findJob.ts';
import { editShown } from '../shownDefinition.ts';
import { pauseOver } from './keepResume.ts';
import { type NextRevision, type RevisionWritten, writeRevision } from './writeRevision.ts';

/** What a change came to. */
export type JobChanged = RevisionWritten;

/** What an edit may decide by besides the definition. */
export interface JobEdited {
  readonly jobId: number;
  readonly revision: number;
}

/**
 * Changes a job's definition. `edit` is given the definition in force, under the lock and with
 * markers in place of secrets, and may be called again when the transaction is; what it throws is
 * thrown on with nothing done. A marker that it leaves keeps the value.
 * @throws OperatorError `job_missing`, `bad_secretEnv`, and what `settleOutcome` throws.
 */
export function editJob(
  channel: Channel,
  name: string,
  edit: (definition: JobDefinition, nowMs: number, job: JobEdited) => JobDefinition,
): Promise<JobChanged> {
  return change(channel, name, 'edit', (job) => ({
    definition: editShown(job.definition, (shown) => edit(shown, job.nowMs, job)),
    isPaused: job.isPaused,
    resumeAtMs: job.resumeAtMs,
  }));
}

/** Until when a pause holds: an instant, a time from now on, or for good. */
export type PauseEnd = { readonly untilMs: number } | { readonly forMs: number } | null;

/**
 * No run of the job starts after this was acknowledged (P14); what is executing goes on, and is
 * told: the process of a run that started just before may begin a moment later. With an end, a node
 * resumes the job when that has come.
 * @throws FieldError `pause_over` of an end that is over by the database's clock.
 */
export function pauseJob(
  channel: Channel,
  name: string,
  end: PauseEnd = null,
): Promise<JobChanged> {
  return change(channel, name, 'pause', ({ definition, nowMs }) => {
    const resumeAtMs = end === null ? null : 'untilMs' in end ? end.untilMs : nowMs + end.forMs;
    if (resumeAtMs !== null && resumeAtMs <= nowMs) throw pauseOver('until', resumeAtMs);
    return { definition, isPaused: true, resumeAtMs };
  });
}

/** The schedule counts again from now on; nothing of the time between is made up for. */
export function resumeJob(channel: Channel, name: string): Promise<JobChanged> {
  return change(channel, name, 'resume', ({ definition }) => ({ definition, isPaused: false }));
}

/** The same, unless the pause has been ended or given another end meanwhile. */
export function resumeDueJob(channel: Channel, name: string): Promise<JobChanged> {
  return change(channel, name, 'resume', ({ definition, isPaused, resumeAtMs, nowMs }) => ({
    definition,
    isPaused: isPaused && (resumeAtMs === null || resumeAtMs > nowMs),
    resumeAtMs,
  }));
}

/**
 * Closes the job's last revision and gives its name free; its history stays. `check` may throw, by
 * the revision in force, with nothing done.
 */
export function removeJob(
  channel: Channel,
  name: string,
  check: ((job: JobEdited) => void) | null = null,
): Promise<JobChanged> {
  return change(channel, name, 'remove', (job) => {
    check?.(job);
    return { definition: job.definition, isPaused: true };
  });
}

async function change(
  channel: Channel,
  name: string,
  kind: JobChangeKind,
  decide: (job: JobInForce) => NextRevision,
): Promise<JobChanged> {
  const { jobId, stripes } = await findJob(channel, name);
  return changeOnce<JobChanged>(channel, {
    ...{ name: `${kind}Job`, lock: stripes, isIdempotent: true },
    work: async (connection) => {
      const job = await readJobInForce(connection, jobId);
      if (job === null) return { refuse: 'job_missing' };
      return { commit: await writeRevision(connection, kind, job, decide(job)) };
    },
    look: `statecron job show ${name}`,
    answers: { action: `job.${kind}`, target: name },
    refused: () => jobMissing(name),
  });
}
