import { exitCodes, FieldError } from '../../../domain/errors/errors.ts';
import type { JobPause } from '../../../domain/job/edit/jobPause.ts';
import type { JobDefinition } from '../../../domain/job/jobDefinition.ts';
import { stripeOfJob } from '../../../domain/run/stripes.ts';
import { ticksOfRevision } from '../../../domain/schedule/read/revisionTicks.ts';
import { shellWord } from '../../../domain/text/quoteForShell.ts';
import { auditedJob, auditJob } from '../../audit/auditJob.ts';
import { linkChains } from '../../chains/linkChains.ts';
import type { Channel, ChannelConnection } from '../../connection/channel.ts';
import { dateOf } from '../../connection/queryable.ts';
import { changeOnce } from '../../idempotency/changeOnce.ts';
import { requireTargets } from '../../notifications/targets/requireTargets.ts';
import { placeJob } from '../../targeting/placeJob.ts';
import { takeStripes } from '../../transaction/takeStripes.ts';
import type { Decision } from '../../transaction/transact.ts';
import { requireSecrets } from '../shownDefinition.ts';
import { keepResume, pauseOver } from './keepResume.ts';
import { resizeSlots } from './resizeSlots.ts';

export interface JobAdded {
  readonly jobId: number;
  readonly revision: number;
  readonly inForceFromMs: number;
  /** The first tick, or null when the schedule names none, or the job is paused. */
  readonly nextRunMs: number | null;
}

/**
 * Adds a job with its first revision and its idle slot, due at the first tick from now on; with a
 * pause, at none before that ends.
 * @throws OperatorError `job_exists`; `outcome_unknown` (75), since a second try could not
 * distinguish its own earlier row from another's. FieldError `pause_over` of a pause that is over
 * by the database's clock.
 */
export async function addJob(
  channel: Channel,
  definition: JobDefinition,
  pause: JobPause | null = null,
): Promise<JobAdded> {
  requireSecrets(definition);
  return changeOnce<JobAdded>(channel, {
    ...{
      name: 'addJob',
      isIdempotent: false,
      look: `statecron job show ${shellWord(definition.name)}`,
    },
    work: (connection) => insertJob(connection, definition, pause),
    answers: { action, target: definition.name },
    refused: () => jobExists(definition.name),
  });
}

export function jobExists(name: string): FieldError {
  return new FieldError({
    code: 'job_exists',
    message: `There is a job ${JSON.stringify(name)} already.`,
    hint: 'Take another name, or change that one: statecron job edit',
    errors: [{ field: 'name', message: 'is taken already' }],
    exitCode: exitCodes.failed,
  });
}

/**
 * The job's id, and so its stripe, comes from the insert of its row, which only blocks those who
 * add the same name; the slot is written under the stripe like any other. IGNORE makes a taken name
 * no row instead of an error of the driver's; every value was checked before.
 */
async function insertJob(
  connection: ChannelConnection,
  definition: JobDefinition,
  pause: JobPause | null,
): Promise<Decision<JobAdded>> {
  const isPaused = pause !== null;
  const resumeAtMs = pause?.untilMs ?? null;
  const header = await connection.write(insertRow, [definition.name, isPaused]);
  if (header.affectedRows !== 1) return { refuse: 'job_exists' };
  const jobId = header.insertId;
  const stripe = stripeOfJob(jobId);
  await takeStripes(connection, [stripe]);
  const inForceFromMs = await connection.readNow();
  if (resumeAtMs !== null) {
    if (resumeAtMs <= inForceFromMs) throw pauseOver('pausedUntil', resumeAtMs);
    await keepResume(connection, jobId, resumeAtMs);
  }
  const values = [jobId, JSON.stringify(definition), isPaused, new Date(inForceFromMs)];
  await connection.change(insertRevision, values);
  const ticks = ticksOfRevision(definition, inForceFromMs);
  const nextRunMs = isPaused ? null : ticks.next(inForceFromMs - 1);
  const cursor = dateOf(nextRunMs);
  await connection.change(insertSlot, [jobId, stripe, cursor, cursor]);
  const { after: upstreams, name } = definition;
  if (upstreams !== undefined) await linkChains(connection, { jobId, name, after: upstreams });
  await requireTargets(connection, definition);
  await placeJob(connection, { jobId, revision: 1, definition, isPaused, inForceFromMs });
  await resizeSlots(connection, jobId, definition);
  const after = auditedJob({ definition, isPaused, resumeAtMs });
  await auditJob(connection, { name, definition }, { action, after });
  return { commit: { jobId, revision: 1, inForceFromMs, nextRunMs } };
}

const action = 'job.add';

const insertRow = `/* addJob */ INSERT IGNORE INTO job (name, revision, paused, created_at)
  VALUES (?, 1, ?, NOW(3))`;
const insertRevision = `/* addJob revision */ INSERT INTO job_revision
    (job_id, revision, definition, paused, in_force_from) VALUES (?, 1, ?, ?, ?)`;
const insertSlot = `/* addJob slot */ INSERT INTO slot (job_id, stripe, cursor_at, next_run_at)
  VALUES (?, ?, ?, ?)`;
