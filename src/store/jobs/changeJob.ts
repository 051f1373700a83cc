import { FieldError } from '../../domain/fieldError.ts';
import type { JobChangeKind } from '../../domain/jobChange.ts';
import type { JobDefinition } from '../../domain/jobDefinition.ts';
import type { Outcome } from '../../domain/outcome.ts';
import type { Channel } from '../channel.ts';
import { takeStripes } from '../takeStripes.ts';
import { transact } from '../transact.ts';
import { findJob, type JobInForce, jobMissing, readJobInForce } from './findJob.ts';
import { settleOutcome } from './settleOutcome.ts';
import { editShown } from './shownDefinition.ts';
import { type NextRevision, type RevisionWritten, writeRevision } from './writeRevision.ts';

/** What a change came to. */
export type JobChanged = RevisionWritten;

/** What an edit may decide by besides the definition. */
export interface JobEdited {
  readonly jobId: number;
  readonly revision: number;
  /** An earlier try may have been done, and nobody can say: then this is what it made. */
  readonly isRepeated: boolean;
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
  return change(channel, name, 'edit', (job, isRepeated) => ({
    definition: editShown(job.definition, (shown) => {
      return edit(shown, job.nowMs, { ...job, isRepeated });
    }),
    isPaused: job.isPaused,
    resumeAtMs: job.resumeAtMs,
  }));
}

/** Until when a pause holds: an instant, a time from now on, or for good. */
export type PauseEnd = { readonly untilMs: number } | { readonly forMs: number } | null;

/**
 * Nothing of the job starts after this was acknowledged (P14); what is executing goes on. With an
 * end, a node resumes the job when that has come.
 * @throws FieldError `pause_over` of an end that is over by the database's clock.
 */
export function pauseJob(
  channel: Channel,
  name: string,
  end: PauseEnd = null,
): Promise<JobChanged> {
  return change(channel, name, 'pause', ({ definition, nowMs }, isRepeated) => {
    const resumeAtMs = end === null ? null : 'untilMs' in end ? end.untilMs : nowMs + end.forMs;
    // A repeat may come when the end of what it asked for has come.
    if (resumeAtMs !== null && resumeAtMs <= nowMs && !isRepeated) throw pauseOver(resumeAtMs);
    return { definition, isPaused: true, resumeAtMs };
  });
}

/** It would be resumed at once, though whoever asks for it wants it to rest. */
function pauseOver(untilMs: number): FieldError {
  const message = `${new Date(untilMs).toISOString()} is over already`;
  return new FieldError({
    code: 'pause_over',
    message: `until: ${message}.`,
    hint: 'Name an instant to come, or a time from now on such as 2h.',
    errors: [{ field: 'until', message }],
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
  check: ((job: Omit<JobEdited, 'isRepeated'>) => void) | null = null,
): Promise<JobChanged> {
  return change(channel, name, 'remove', (job) => {
    check?.(job);
    return { definition: job.definition, isPaused: true };
  });
}

/**
 * Idempotent: a change whose outcome is unknown is asked for again, and finds the job as it wanted
 * it when the first try was committed after all.
 */
async function change(
  channel: Channel,
  name: string,
  kind: JobChangeKind,
  decide: (job: JobInForce, isRepeated: boolean) => NextRevision,
): Promise<JobChanged> {
  const { jobId, stripes } = await findJob(channel, name);
  let tries = 0;
  const outcome = await settleOutcome(
    (): Promise<Outcome<JobChanged>> => {
      tries += 1;
      return transact(channel, `${kind}Job`, async (connection) => {
        await takeStripes(connection, stripes);
        const job = await readJobInForce(connection, jobId);
        if (job === null) return { refuse: 'job_missing' };
        return { commit: await writeRevision(connection, kind, job, decide(job, tries > 1)) };
      });
    },
    { isIdempotent: true, look: `statecron job show ${name}` },
  );
  if (outcome.outcome === 'committed') {
    // A second try that finds the job as it was wanted tells that the first was committed.
    return { ...outcome.value, isChanged: outcome.value.isChanged || tries > 1 };
  }
  if (kind !== 'remove' || tries === 1) throw jobMissing(name);
  return { jobId, isChanged: true, revision: 0, inForceFromMs: 0, nextRunMs: null };
}
