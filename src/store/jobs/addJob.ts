import type { ResultSetHeader } from 'mysql2/promise';
import { OperatorError } from '../../domain/errors.ts';
import type { JobDefinition } from '../../domain/jobDefinition.ts';
import type { Outcome } from '../../domain/outcome.ts';
import { ticksOfRevision } from '../../domain/revisionTicks.ts';
import { stripeOfJob } from '../../domain/stripes.ts';
import { auditedJob } from '../audit/auditedJob.ts';
import { groupOf } from '../audit/auditJob.ts';
import { earlierAnswer } from '../audit/earlierAnswer.ts';
import { writeAudit } from '../audit/writeAudit.ts';
import { linkChains } from '../chains/linkChains.ts';
import type { Channel, Row } from '../channel.ts';
import { requireTargets } from '../notices/requireTargets.ts';
import { takeStripes } from '../takeStripes.ts';
import { placeJob } from '../targeting/placeJob.ts';
import { transact } from '../transact.ts';
import { resizeSlots } from './resizeSlots.ts';
import { settleOutcome } from './settleOutcome.ts';
import { requireSecrets } from './shownDefinition.ts';

export interface JobAdded {
  readonly jobId: number;
  readonly revision: number;
  readonly inForceFromMs: number;
  /** The first tick, or null when the schedule names none. */
  readonly nextRunMs: number | null;
}

/**
 * Adds a job with its first revision and its idle slot, due at the first tick from now on.
 * @throws OperatorError `job_exists`; `outcome_unknown` (75), since asking twice would not tell an
 * own earlier row from somebody else's.
 */
export async function addJob(channel: Channel, definition: JobDefinition): Promise<JobAdded> {
  requireSecrets(definition);
  const outcome = await settleOutcome(() => insertJob(channel, definition), {
    isIdempotent: false,
    look: `statecron job show ${definition.name}`,
  });
  if (outcome.outcome === 'committed') return outcome.value;
  throw new OperatorError({
    code: 'job_exists',
    message: `There is a job ${JSON.stringify(definition.name)} already.`,
    hint: 'Take another name, or change that one: statecron job edit',
  });
}

/**
 * The job's id, and so its stripe, comes from the insert of its row, which only blocks those who
 * add the same name; the slot is written under the stripe like any other. IGNORE makes a taken name
 * no row instead of an error of the driver's; every value was checked before.
 */
function insertJob(channel: Channel, definition: JobDefinition): Promise<Outcome<JobAdded>> {
  return transact(channel, 'addJob', async (connection) => {
    const header = await connection.query<ResultSetHeader>(insertRow, [definition.name]);
    if (header.affectedRows !== 1) {
      const earlier = await earlierAnswer<JobAdded>(connection, action, definition.name);
      return earlier === null ? { refuse: 'job_exists' } : { commit: earlier };
    }
    const jobId = header.insertId;
    const stripe = stripeOfJob(jobId);
    await takeStripes(connection, [stripe]);
    const [clock] = await connection.query<Row[]>(readNow);
    if (clock === undefined) throw new Error('addJob: the database told no time');
    const inForceFrom = clock.now_at as Date;
    const inForceFromMs = inForceFrom.getTime();
    await connection.change(insertRevision, [jobId, JSON.stringify(definition), inForceFrom]);
    const nextRunMs = ticksOfRevision(definition, inForceFromMs).next(inForceFromMs - 1);
    const cursor = nextRunMs === null ? null : new Date(nextRunMs);
    await connection.change(insertSlot, [jobId, stripe, cursor, cursor]);
    if (definition.after !== undefined) {
      await linkChains(connection, { jobId, name: definition.name, after: definition.after });
    }
    await requireTargets(connection, definition);
    await placeJob(connection, { jobId, revision: 1, definition, isPaused: false, inForceFromMs });
    await resizeSlots(connection, jobId, definition);
    const answer: JobAdded = { jobId, revision: 1, inForceFromMs, nextRunMs };
    await writeAudit(connection, {
      ...{ action, target: definition.name, group: groupOf(definition), answer },
      ...{ before: null, after: auditedJob({ definition, isPaused: false }) },
    });
    return { commit: answer };
  });
}

const action = 'job.add';

const insertRow = `/* addJob */ INSERT IGNORE INTO job (name, revision, paused, created_at)
  VALUES (?, 1, 0, NOW(3))`;
const readNow = '/* addJob now */ SELECT NOW(3) AS now_at';
const insertRevision = `/* addJob revision */ INSERT INTO job_revision
    (job_id, revision, definition, paused, in_force_from) VALUES (?, 1, ?, 0, ?)`;
const insertSlot = `/* addJob slot */ INSERT INTO slot (job_id, stripe, cursor_at, next_run_at)
  VALUES (?, ?, ?, ?)`;
