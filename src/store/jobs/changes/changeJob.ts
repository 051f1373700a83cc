import { withLowestFormat } from '../../../domain/job/edit/definitionFormat.ts';
import type { JobDefinition } from '../../../domain/job/jobDefinition.ts';
import type { JobChangeKind } from '../../../domain/policies/jobChange.ts';
import { reasons, togetherPrefix } from '../../../domain/reasons/reasons.ts';
import { shellWord } from '../../../domain/text/quoteForShell.ts';
import type { Channel } from '../../connection/channel.ts';
import { changeJobInForce } from '../changeJobInForce.ts';
import type { JobInForce } from '../findJob.ts';
import { editShown } from '../shownDefinition.ts';
import { pauseOver } from './keepResume.ts';
import { type NextRevision, type RevisionWritten, writeRevision } from './writeRevision.ts';

/** The result of a change. */
export type JobChanged = RevisionWritten;

/** What an edit may decide by besides the definition. */
export type JobEdited = Pick<JobInForce, 'jobId' | 'revision'>;

/**
 * Changes a job's definition. `edit` is given the definition in force, under the lock and with
 * markers in place of secrets, and may be called again when the transaction is; what it throws is
 * thrown on with nothing done. A marker that it leaves keeps the value.
 * @throws OperatorError `job_missing`, `bad_secretEnv`, and what `settleOutcome` throws.
 */
export function editJob(
  channel: Channel,
  name: string,
  edit: Edit,
  action: EditAction = 'job.edit',
): Promise<JobChanged> {
  return change(channel, name, 'edit', nextOf.edit(edit), action);
}

/** What the audit log calls an edit. */
type EditAction = 'job.edit' | 'job.rollback';

/**
 * Pauses a job as one of many, unless it is paused otherwise: that pause is another's to end. The
 * same pause takes another end, or note, in the place of the one before.
 * @throws FieldError `pause_over`.
 */
export function pauseTogether(
  channel: Channel,
  name: string,
  scope: string,
  { end, note }: { readonly end: PauseEnd; readonly note: string | undefined },
): Promise<JobChanged> {
  const made = reasons.pausedTogether(scope, channel.by?.actor ?? 'statecron', note ?? '');
  return change(channel, name, 'pause', (job) => {
    const { definition, isPaused, reason, resumeAtMs } = job;
    const isSame = reason?.startsWith(togetherPrefix(scope)) === true;
    if (isPaused && !isSame) return { definition, isPaused, resumeAtMs };
    const keeps = isPaused && note === undefined;
    return { ...nextOf.pause(end)(job), ...(keeps ? {} : { reason: made }) };
  });
}

/** Resumes a job if it is paused still as one of those whose reason begins like this. */
export function resumeTogether(
  channel: Channel,
  name: string,
  prefix: string,
): Promise<JobChanged> {
  return change(channel, name, 'resume', ({ definition, isPaused, reason, resumeAtMs }) => ({
    definition,
    isPaused: isPaused && reason?.startsWith(prefix) !== true,
    resumeAtMs,
  }));
}

/** Until when a pause holds: an instant, a time from now on, or for good. */
export type PauseEnd = { readonly untilMs: number } | { readonly forMs: number } | null;

/**
 * No run of the job starts after this was acknowledged (P14); what is executing goes on, and is
 * counted in the result: the process of a run that started just before may begin a moment later.
 * With an end, a node resumes the job when that has come; with a note, its reason says who and why.
 * @throws FieldError `pause_over` of an end that is over by the database's clock.
 */
export function pauseJob(
  channel: Channel,
  name: string,
  end: PauseEnd = null,
  note?: string,
): Promise<JobChanged> {
  const reason =
    note === undefined ? {} : { reason: reasons.pausedBy(channel.by?.actor ?? 'statecron', note) };
  return change(channel, name, 'pause', (job) => ({ ...nextOf.pause(end)(job), ...reason }));
}

/** The schedule counts again from now on; nothing of the time between is made up for. */
export function resumeJob(channel: Channel, name: string): Promise<JobChanged> {
  return change(channel, name, 'resume', nextOf.resume);
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
 * Ends the observation of a job: its schedule starts launches from now on, and no tick before is
 * made up for. A pause stays.
 */
export function goLive(channel: Channel, name: string): Promise<JobChanged> {
  return editJob(channel, name, ({ observed: _, ...live }) => withLowestFormat(live));
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
    return nextOf.remove(job);
  });
}

type Edit = (definition: JobDefinition, nowMs: number, job: JobEdited) => JobDefinition;

/** The revision that each change makes of the one in force. */
export const nextOf = {
  edit: (edit: Edit) => (job: JobInForce) => {
    const { definition, isPaused, nowMs, reason, resumeAtMs } = job;
    return {
      definition: editShown(definition, (shown) => edit(shown, nowMs, job)),
      ...{ isPaused, resumeAtMs },
      // A pause that was made of many jobs is the same one after an edit of this one.
      ...(isPaused && reason !== null ? { reason } : {}),
    };
  },
  pause:
    (end: PauseEnd) =>
    ({ definition, nowMs }: JobInForce) => {
      const resumeAtMs = end === null ? null : 'untilMs' in end ? end.untilMs : nowMs + end.forMs;
      if (resumeAtMs !== null && resumeAtMs <= nowMs) throw pauseOver('until', resumeAtMs);
      return { definition, isPaused: true, resumeAtMs };
    },
  resume: ({ definition }: JobInForce) => ({ definition, isPaused: false }),
  remove: ({ definition }: JobInForce) => ({ definition, isPaused: true }),
};

function change(
  channel: Channel,
  name: string,
  kind: JobChangeKind,
  decide: (job: JobInForce) => NextRevision,
  action = `job.${kind}`,
): Promise<JobChanged> {
  return changeJobInForce(channel, name, {
    ...{ name: `${kind}Job`, action, look: `statecron job show ${shellWord(name)}` },
    work: (connection, job) => writeRevision(connection, kind, job, { ...decide(job), action }),
  });
}
