import { isDeepStrictEqual } from 'node:util';
import type { JobDefinition } from '../../../domain/job/jobDefinition.ts';
import { chooseInForceFrom, type JobChangeKind } from '../../../domain/policies/jobChange.ts';
import type { Reason } from '../../../domain/reasons/reasons.ts';
import { auditedJob, groupOf } from '../../audit/auditJob.ts';
import { writeAudit } from '../../audit/writeAudit.ts';
import { linkChains, unlinkChains } from '../../chains/linkChains.ts';
import type { ChannelConnection } from '../../connection/channel.ts';
import { requireTargets } from '../../notifications/targets/requireTargets.ts';
import { placeJob, requireSameKind } from '../../targeting/placeJob.ts';
import { type JobInForce, readJobInForce } from '../findJob.ts';
import { changeSlots, readSlots, readStanding } from './changeSlots.ts';
import { keepResume } from './keepResume.ts';
import { resizeSlots } from './resizeSlots.ts';

/** The result of a change of a job. */
export interface RevisionWritten {
  readonly jobId: number;
  /** False: it changed nothing, and no revision was made. */
  readonly isChanged: boolean;
  readonly revision: number;
  /** When the revision came into force, by the database's clock. */
  readonly inForceFromMs: number;
  /** The next tick, a kept one of the revision before included; null when none will come. */
  readonly nextRunMs: number | null;
  /**
   * Runs that had started before and go on, of any revision; null: that is unknown. With none, no
   * process of an earlier revision begins any more.
   */
  readonly executing: number | null;
}

export interface NextRevision {
  readonly definition: JobDefinition;
  readonly isPaused: boolean;
  /** When a pause ends by itself; absent or null: it does not. */
  readonly resumeAtMs?: number | null;
  /** Why there is a revision that no operator made. */
  readonly reason?: Reason;
  /** What the audit log calls the change; absent: by its kind. */
  readonly action?: string;
}

/**
 * Closes the revision in force and opens the next, with all that it changes for slots, launches and
 * chains, in the transaction that holds the job's stripes.
 */
export async function writeRevision(
  connection: ChannelConnection,
  kind: JobChangeKind,
  job: JobInForce,
  next: NextRevision,
): Promise<RevisionWritten> {
  const { jobId } = job;
  const isSame =
    kind !== 'remove' &&
    next.isPaused === job.isPaused &&
    (next.reason ?? job.reason) === job.reason &&
    isDeepStrictEqual(next.definition, job.definition);
  const resumeAtMs = next.isPaused ? (next.resumeAtMs ?? null) : null;
  if (isSame) {
    // Another end of the same pause is no other revision: no tick is anybody's else by it. Who
    // pauses it anew, and says why, makes another pause.
    const isMoved = resumeAtMs !== job.resumeAtMs;
    if (isMoved) {
      await keepResume(connection, jobId, resumeAtMs);
      await audit(connection, kind, job, next);
    }
    const { revision, inForceFromMs } = job;
    const standing = await readStanding(connection, jobId);
    return { jobId, isChanged: isMoved, revision, inForceFromMs, ...standing };
  }
  const revision = job.revision + 1;
  const slots = await readSlots(connection, job);
  requireSameKind(job.definition, next.definition, slots.slots);
  const { oldTicks } = slots;
  const inForceFromMs = chooseInForceFrom(job.nowMs, job.inForceFromMs, oldTicks, slots.slots);
  const inForceFrom = new Date(inForceFromMs);
  await connection.change(closeRevision, [inForceFrom, jobId, job.revision]);
  // The revision that a removal ends with is never in force: by it launches of the one before see
  // that the job is another now, so that a reset does not put their ticks back.
  const inForceUntil = kind === 'remove' ? inForceFrom : null;
  const text = JSON.stringify(next.definition);
  const inForce = [inForceFrom, inForceUntil, next.reason ?? null];
  await connection.change(insertRevision, [jobId, revision, text, next.isPaused, ...inForce]);
  const statement = kind === 'remove' ? markRemoved : moveRevision;
  const affected = await connection.change(statement, [revision, next.isPaused, jobId]);
  if (affected !== 1) throw new Error(`${kind}Job: the job changed under its lock`);
  await keepResume(connection, jobId, resumeAtMs);
  if (kind === 'resume') await connection.change(resetCounts, [jobId]);
  const { name } = job;
  if (kind === 'remove') await unlinkChains(connection, { jobId, name });
  if (kind === 'edit') {
    await linkChains(connection, { jobId, name, after: next.definition.after ?? [] });
    if (!isDeepStrictEqual(next.definition.notify, job.definition.notify)) {
      await requireTargets(connection, next.definition);
    }
  }
  const isObserved = next.definition.observed === true && job.definition.observed !== true;
  const changed = await changeSlots(connection, slots, {
    kind: kind === 'edit' && isObserved ? 'observe' : kind,
    ...{ job, next, inForceFromMs },
  });
  if (kind === 'edit') {
    await placeJob(connection, { jobId, revision, ...next, inForceFromMs });
    await resizeSlots(connection, jobId, next.definition);
  }
  await audit(connection, kind, job, next);
  const standing = kind === 'edit' ? await readStanding(connection, jobId) : changed;
  return { jobId, isChanged: true, revision, inForceFromMs, ...standing };
}

/**
 * Pauses a job in a transaction that holds its stripe already, as an operator would, and keeps why:
 * nothing of it starts between what made it stop and its pause.
 */
export async function pauseInPlace(connection: ChannelConnection, jobId: number, reason: Reason) {
  const job = await readJobInForce(connection, jobId);
  if (job === null || job.isPaused) return;
  const { definition } = job;
  await writeRevision(connection, 'pause', job, { definition, isPaused: true, reason });
}

/** Who may not see both groups of a job that goes from one to another does not see its change. */
async function audit(
  connection: ChannelConnection,
  kind: JobChangeKind,
  job: JobInForce,
  next: NextRevision,
): Promise<void> {
  const group = groupOf(job.definition);
  const groups = [group, groupOf(next.definition)];
  await writeAudit(connection, {
    action: next.action ?? `job.${kind}`,
    target: job.name,
    group: group === groups[1] ? group : null,
    groups,
    before: auditedJob(job),
    after: kind === 'remove' ? null : auditedJob(next),
  });
}

const closeRevision = `/* changeJob close */ UPDATE job_revision SET in_force_until = ?
  WHERE job_id = ? AND revision = ? AND in_force_until IS NULL`;
const insertRevision = `/* changeJob revision */ INSERT INTO job_revision
    (job_id, revision, definition, paused, in_force_from, in_force_until, reason)
  VALUES (?, ?, ?, ?, ?, ?, ?)`;
const moveRevision = `/* changeJob */ UPDATE job SET revision = ?, paused = ?
  WHERE job_id = ? AND removed_no = 0`;
const resetCounts = `/* changeJob counts */ UPDATE job SET ticks_run = 0, failures_in_row = 0
  WHERE job_id = ? AND (ticks_run > 0 OR failures_in_row > 0)`;
const markRemoved = `/* removeJob */ UPDATE job
  SET revision = ?, paused = ?, removed_no = job_id, removed_at = NOW(3)
  WHERE job_id = ? AND removed_no = 0`;
