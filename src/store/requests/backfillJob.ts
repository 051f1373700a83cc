import { exitCodes, FieldError, OperatorError } from '../../domain/errors/errors.ts';
import { ticksOfRevision } from '../../domain/schedule/read/revisionTicks.ts';
import { shellWord } from '../../domain/text/quoteForShell.ts';
import { auditJob } from '../audit/auditJob.ts';
import type { Channel, ChannelConnection } from '../connection/channel.ts';
import { changeJobInForce } from '../jobs/changeJobInForce.ts';
import type { JobInForce } from '../jobs/findJob.ts';
import { chosenSlots, readRequested, wakeJob } from './requestLaunch.ts';

interface BackfillRange {
  readonly fromMs: number;
  readonly untilMs: number;
  /** More ticks than this are refused, not cut. */
  readonly ticksMax: number;
  /** Its ticks, where they were worked out before: of the revision that is to be in force still. */
  readonly known?: { readonly revision: number; readonly ticks: readonly number[] };
}

interface Backfilled {
  readonly requestId: string;
  /** The ticks that the schedule names in the range, ascending, epoch milliseconds. */
  readonly ticks: readonly number[];
  /** Those of them that had not been requested under this request id before. */
  readonly added: readonly number[];
}

/**
 * Requests a launch for each tick that the job's schedule of today names in a range of the past,
 * both ends included; they run in their order, one after the other, beside the schedule. A repeat
 * under the same request id adds only ticks that it lacks, so that it is safe after an unknown
 * outcome. With `isDry` nothing is written.
 * @throws OperatorError `job_missing`, `backfill_future`, `too_many_ticks`, `revision_changed`,
 * and what `settleOutcome` throws.
 */
export async function backfillJob(
  channel: Channel,
  name: string,
  requestId: string,
  range: BackfillRange,
  isDry = false,
): Promise<Backfilled> {
  return changeJobInForce<Backfilled>(channel, name, {
    ...{ name: 'backfillJob', isLocked: !isDry, look: `statecron runs --job ${shellWord(name)}` },
    work: async (connection, job) => {
      const { jobId } = job;
      if (range.untilMs > job.nowMs) throw toCome(range.untilMs, job.nowMs);
      const ticks = ticksIn(job, range);
      const known = new Set(await readRequested(connection, jobId, requestId));
      const added = ticks.filter((tickMs) => !known.has(tickMs));
      if (!isDry && added.length > 0) {
        await insert(connection, jobId, requestId, added);
        const fromTo = { from: iso(range.fromMs), until: iso(range.untilMs) };
        const after = { requestId, ...fromTo, ticks: added.length };
        await auditJob(connection, job, { action: 'job.backfill', after });
      }
      return { requestId, ticks, added };
    },
  });
}

function ticksIn(job: JobInForce, range: BackfillRange): readonly number[] {
  const { name, definition } = job;
  if (range.known !== undefined) {
    if (range.known.revision !== job.revision) throw changedMeanwhile(name);
    if (range.known.ticks.length > range.ticksMax) throw tooMany(name, range.ticksMax);
    return range.known.ticks;
  }
  // As if the definition had been in force then.
  const source = ticksOfRevision(definition, range.fromMs);
  const ticks: number[] = [];
  for (let tickMs = source.next(range.fromMs - 1); tickMs !== null && tickMs <= range.untilMs; ) {
    if (ticks.length === range.ticksMax) throw tooMany(name, range.ticksMax);
    ticks.push(tickMs);
    tickMs = source.next(tickMs);
  }
  return ticks;
}

/** In their order, which is the one that claims take pending launches in. */
async function insert(
  connection: ChannelConnection,
  jobId: number,
  requestId: string,
  ticks: readonly number[],
): Promise<void> {
  for (let at = 0; at < ticks.length; at += rowsMax) {
    const some = ticks.slice(at, at + rowsMax).map((tickMs) => new Date(tickMs));
    const sql = insertPending.replace('/* rows */', () => oneMore.repeat(some.length - 1));
    await connection.change(sql, [requestId, ...some, jobId]);
  }
  await wakeJob(connection, jobId);
}

const rowsMax = 500;

function iso(instantMs: number): string {
  return new Date(instantMs).toISOString();
}

/**
 * Refused, not cut off at now: a launch for a tick to come would hold the job's slot until then,
 * the schedule runs that tick itself, and a part of the range is not what was requested.
 */
function toCome(untilMs: number, nowMs: number): FieldError {
  const message = `${iso(untilMs)} is still to come: it is ${iso(nowMs)} by the database's clock`;
  return new FieldError({
    code: 'backfill_future',
    message: `to: ${message}.`,
    hint: 'Backfill up to now at the latest: the schedule runs the ticks to come by itself.',
    errors: [{ field: 'to', message }],
  });
}

function changedMeanwhile(name: string): OperatorError {
  return new OperatorError({
    code: 'revision_changed',
    message: `${name} was changed while its ticks were worked out.`,
    hint: 'Try again: the ticks are those of its schedule of then.',
    exitCode: exitCodes.tryAgain,
  });
}

function tooMany(name: string, ticksMax: number): OperatorError {
  const message = `The schedule of ${name} names more than ${ticksMax} ticks in that range.`;
  const hint = 'Take a shorter range, or allow more with --max.';
  return new OperatorError({ code: 'too_many_ticks', message, hint, exitCode: exitCodes.usage });
}

const oneMore = ' UNION ALL SELECT ?';
const insertPending = `/* backfillJob */ INSERT IGNORE INTO pending
    (job_id, node_name, triggered_by, scheduled_for, attempt, request_id, not_before)
  SELECT places.job_id, places.node_name, 'backfill', CAST(ticks.tick AS DATETIME(3)), 1, ?, NOW(3)
  FROM (SELECT ? AS tick/* rows */) ticks
    JOIN (SELECT DISTINCT slot.job_id, slot.node_name FROM ${chosenSlots}) places
  ORDER BY ticks.tick`;
