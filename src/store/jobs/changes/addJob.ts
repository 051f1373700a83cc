import { OperatorError } from '../../../domain/errors/errors.ts';
import type { JobDefinition } from '../../../domain/job/jobDefinition.ts';
import type { JobPause } from '../../../domain/job/jobPause.ts';
import { stripeOfJob } from '../../../domain/run/stripes.ts';
import { ticksOfRevision } from '../../../domain/schedule/read/revisionTicks.ts';
import { auditedJob } from '../../audit/auditedJob.ts';
import { groupOf } from '../../audit/auditJob.ts';
import { writeAudit } from '../../audit/writeAudit.ts';
import { linkChains } from '../../chains/linkChains.ts';
import type { Channel, ChannelConnection } from '../../connection/channel.ts';
import { dateOf } from '../../connection/queryable.ts';
import { changeOnce } from '../../idempotency/changeOnce.ts';
import { requireTargets } from '../../notifications/targets/requireTargets.ts';
import { placeJob } from '../../targeting/placeJob.ts';
import { readNow } from '../../transaction/readNow.ts';
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
 * @throws OperatorError `job_exists`; `outcome_unknown` (75), since asking twice would not tell an
 * own earlier row from somebody else's. FieldError `pause_over` of a pause that is over by the
 * database's clock.
 */
export async function addJob(
  channel: Channel,
  definition: JobDefinition,
  pause: JobPause | null = null,
): Promise<JobAdded> {
  requireSecrets(definition);
  return changeOnce<JobAdded>(channel, {
    ...{ name: 'addJob', isIdempotent: false },
    work: (connection) => insertJob(connection, definition, pause),
    look: `statecron job show ${definition.name}`,
    answers: { action, target: definition.name },
    refused: () =>
      new OperatorError({
        code: 'job_exists',
        message: `There is a job ${JSON.stringify(definition.name)} already.`,
        hint: 'Take another name, or change that one: statecron job edit',
      }),
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
  const inForceFromMs = await readNow(connection);
  if (resumeAtMs !== null) {
    if (resumeAtMs <= inForceFromMs) throw pauseOver('pausedUntil', resumeAtMs);
    await keepResume(connection, jobId, resumeAtMs);
  }
  const text = JSON.stringify(definition);
  await connection.change(insertRevision, [...[jobId, text, isPaused, new Date(inForceFromMs)]]);
  const ticks = ticksOfRevision(definition, inForceFromMs);
  const nextRunMs = isPaused ? null : ticks.next(inForceFromMs - 1);
  const cursor = dateOf(nextRunMs);
  await connection.change(insertSlot, [jobId, stripe, cursor, cursor]);
  if (definition.after !== undefined) {
    await linkChains(connection, { jobId, name: definition.name, after: definition.after });
  }
  await requireTargets(connection, definition);
  await placeJob(connection, { jobId, revision: 1, definition, isPaused, inForceFromMs });
  await resizeSlots(connection, jobId, definition);
  await writeAudit(connection, {
    ...{ action, target: definition.name, group: groupOf(definition) },
    ...{ before: null, after: auditedJob({ definition, isPaused, resumeAtMs }) },
  });
  return { commit: { jobId, revision: 1, inForceFromMs, nextRunMs } };
}

const action = 'job.add';

const insertRow = `/* addJob */ INSERT IGNORE INTO job (name, revision, paused, created_at)
  VALUES (?, 1, ?, NOW(3))`;
const insertRevision = `/* addJob revision */ INSERT INTO job_revision
    (job_id, revision, definition, paused, in_force_from) VALUES (?, 1, ?, ?, ?)`;
const insertSlot = `/* addJob slot */ INSERT INTO slot (job_id, stripe, cursor_at, next_run_at)
  VALUES (?, ?, ?, ?)`;
