import { isDeepStrictEqual } from 'node:util';
import { chooseInForceFrom, type JobChangeKind } from '../../domain/jobChange.ts';
import type { JobDefinition } from '../../domain/jobDefinition.ts';
import type { Outcome } from '../../domain/outcome.ts';
import type { Channel, ChannelConnection } from '../channel.ts';
import { linkChains, unlinkChains } from '../chains/linkChains.ts';
import { takeStripes } from '../takeStripes.ts';
import { placeJob, requireSameKind } from '../targeting/placeJob.ts';
import { type Decision, transact } from '../transact.ts';
import { changeSlots, readNextRun, readSlots } from './changeSlots.ts';
import { findJob, type JobInForce, jobMissing, readJobInForce } from './findJob.ts';
import { settleOutcome } from './settleOutcome.ts';

export interface JobChanged {
  readonly jobId: number;
  /** False: the job was so already, and no revision was made. */
  readonly isChanged: boolean;
  readonly revision: number;
  /** When the revision came into force, by the database's clock. */
  readonly inForceFromMs: number;
  /** The next tick, a kept one of the revision before included; null when none will come. */
  readonly nextRunMs: number | null;
}

/**
 * Changes a job's definition. `edit` is given the definition in force, under the lock, and may be
 * called again when the transaction is; what it throws is thrown on with nothing done.
 * @throws OperatorError `job_missing`, and what `settleOutcome` throws.
 */
export function editJob(
  channel: Channel,
  name: string,
  edit: (definition: JobDefinition, nowMs: number) => JobDefinition,
): Promise<JobChanged> {
  return change(channel, name, 'edit', (job) => ({
    definition: edit(job.definition, job.nowMs),
    isPaused: job.isPaused,
    resumeAtMs: job.resumeAtMs,
  }));
}

/** Until when a pause holds: an instant, a time from now on, or for good. */
export type PauseEnd = { readonly untilMs: number } | { readonly forMs: number } | null;

/**
 * Nothing of the job starts after this was acknowledged (P14); what is executing goes on. With an
 * end, a node resumes the job when that has come.
 */
export function pauseJob(
  channel: Channel,
  name: string,
  end: PauseEnd = null,
): Promise<JobChanged> {
  return change(channel, name, 'pause', ({ definition, nowMs }) => ({
    definition,
    isPaused: true,
    resumeAtMs: end === null ? null : 'untilMs' in end ? end.untilMs : nowMs + end.forMs,
  }));
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

/** Closes the job's last revision and gives its name free; its history stays. */
export function removeJob(channel: Channel, name: string): Promise<JobChanged> {
  return change(channel, name, 'remove', ({ definition }) => ({ definition, isPaused: true }));
}

interface NextRevision {
  readonly definition: JobDefinition;
  readonly isPaused: boolean;
  /** When a pause ends by itself; absent or null: it does not. */
  readonly resumeAtMs?: number | null;
}

/**
 * Idempotent: a change whose outcome is unknown is asked for again, and finds the job as it wanted
 * it when the first try was committed after all.
 */
async function change(
  channel: Channel,
  name: string,
  kind: JobChangeKind,
  decide: (job: JobInForce) => NextRevision,
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
        return write(connection, kind, job, decide(job));
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

async function write(
  connection: ChannelConnection,
  kind: JobChangeKind,
  job: JobInForce,
  next: NextRevision,
): Promise<Decision<JobChanged>> {
  const { jobId } = job;
  const isSame =
    kind !== 'remove' &&
    next.isPaused === job.isPaused &&
    isDeepStrictEqual(next.definition, job.definition);
  const resumeAtMs = next.isPaused ? (next.resumeAtMs ?? null) : null;
  if (isSame) {
    // Another end of the same pause is no other revision: no tick is anybody's else by it.
    const isMoved = resumeAtMs !== job.resumeAtMs;
    if (isMoved) await keepResume(connection, jobId, resumeAtMs);
    const { revision, inForceFromMs } = job;
    const nextRunMs = await readNextRun(connection, jobId);
    return { commit: { jobId, isChanged: isMoved, revision, inForceFromMs, nextRunMs } };
  }
  const revision = job.revision + 1;
  const slots = await readSlots(connection, job);
  requireSameKind(job.definition, next.definition, slots.slots);
  const inForceFromMs = chooseInForceFrom(
    job.nowMs,
    job.inForceFromMs,
    slots.oldTicks,
    slots.slots,
  );
  const inForceFrom = new Date(inForceFromMs);
  await connection.change(closeRevision, [inForceFrom, jobId, job.revision]);
  // The revision that a removal ends with is never in force: it makes launches of the one before
  // it tell that the job is another now, so that a reset does not put their ticks back.
  const inForceUntil = kind === 'remove' ? inForceFrom : null;
  const text = JSON.stringify(next.definition);
  await connection.change(insertRevision, [
    jobId,
    revision,
    text,
    next.isPaused,
    inForceFrom,
    inForceUntil,
  ]);
  const statement = kind === 'remove' ? markRemoved : moveRevision;
  const affected = await connection.change(statement, [revision, next.isPaused, jobId]);
  if (affected !== 1) throw new Error(`${kind}Job: the job changed under its lock`);
  await keepResume(connection, jobId, resumeAtMs);
  const { name } = job;
  if (kind === 'remove') await unlinkChains(connection, { jobId, name });
  if (kind === 'edit') {
    await linkChains(connection, { jobId, name, after: next.definition.after ?? [] });
  }
  const changedMs = await changeSlots(connection, slots, { kind, job, next, inForceFromMs });
  if (kind === 'edit') await placeJob(connection, { jobId, revision, ...next, inForceFromMs });
  const nextRunMs = kind === 'edit' ? await readNextRun(connection, jobId) : changedMs;
  return { commit: { jobId, isChanged: true, revision, inForceFromMs, nextRunMs } };
}

async function keepResume(
  connection: ChannelConnection,
  jobId: number,
  resumeAtMs: number | null,
): Promise<void> {
  await connection.change(moveResume, [resumeAtMs === null ? null : new Date(resumeAtMs), jobId]);
}

const closeRevision = `/* changeJob close */ UPDATE job_revision SET in_force_until = ?
  WHERE job_id = ? AND revision = ? AND in_force_until IS NULL`;
const insertRevision = `/* changeJob revision */ INSERT INTO job_revision
    (job_id, revision, definition, paused, in_force_from, in_force_until)
  VALUES (?, ?, ?, ?, ?, ?)`;
const moveRevision = `/* changeJob */ UPDATE job SET revision = ?, paused = ?
  WHERE job_id = ? AND removed_no = 0`;
const moveResume = `/* changeJob resume */ UPDATE job
  SET resume_at = ?, resume_revision = IF(resume_at IS NULL, NULL, revision) WHERE job_id = ?`;
const markRemoved = `/* removeJob */ UPDATE job
  SET revision = ?, paused = ?, removed_no = job_id, removed_at = NOW(3)
  WHERE job_id = ? AND removed_no = 0`;
