import type { JobDefinition } from '../../domain/jobDefinition.ts';
import { nextAttempt } from '../../domain/policies/nextAttempt.ts';
import { countRun, isCounted, whyPaused } from '../../domain/policies/runLimit.ts';
import type { RunResult, Trigger } from '../../domain/run.ts';
import type { ChannelConnection, Row } from '../channel.ts';
import { pauseInPlace } from '../jobs/pauseInPlace.ts';
import type { Parameter } from '../queryable.ts';
import type { RevisionCache } from './revisionCache.ts';

/** A launch that ends, its policies, and whether its job goes on to a new attempt of it. */
export interface EndedAttempt {
  readonly row: Row;
  readonly result: RunResult;
  /** The job's definition in force, which need not be the one that was launched. */
  readonly definition: JobDefinition;
  /** False: it is of a later version, and says what this one cannot know. */
  readonly isUnderstood: boolean;
  /** Null: this was the last attempt. */
  readonly next: { readonly attempt: number; readonly delayMs: number } | null;
}

/**
 * What comes after launches that ended so. The definition in force decides: a job that was paused
 * or removed meanwhile starts nothing more, and one that this version does not understand is not
 * for it to start. Rows tell `job_id`, `job_revision`, `job_paused` and `attempt`.
 */
export async function decideAttempts(
  connection: ChannelConnection,
  revisions: RevisionCache,
  ended: readonly { readonly row: Row; readonly result: RunResult }[],
): Promise<EndedAttempt[]> {
  const loaded = await revisions.load(
    connection,
    ended.map(({ row }) => row),
  );
  return ended.map(({ row, result }, index): EndedAttempt => {
    const revision = loaded[index];
    if (revision === undefined) throw new Error('decideAttempts: a job without a revision');
    const { definition, whyNot } = revision;
    const mayGoOn = row.job_paused === 0 && whyNot === null;
    const attempt = row.attempt as number;
    const next = mayGoOn ? nextAttempt(definition, result, attempt, Math.random()) : null;
    return { row, result, definition, isUnderstood: whyNot === null, next };
  });
}

/**
 * Asks for the next attempts, each a pending launch of the same tick or request; before the slots
 * are made idle, whose rows tell the rest.
 */
export async function askAttempts(
  connection: ChannelConnection,
  ended: readonly EndedAttempt[],
): Promise<void> {
  const parameters = ended.flatMap(({ row, next }): Parameter[] =>
    next === null ? [] : [row.slot_id as number, next.attempt, next.delayMs * 1000],
  );
  if (parameters.length === 0) return;
  const rest = ' UNION ALL SELECT ?, ?, ?'.repeat(parameters.length / 3 - 1);
  await connection.change(
    insertAttempts.replace('/* rows */', () => rest),
    parameters,
  );
}

/**
 * Counts the ticks that are over, of the jobs that ask for it, and pauses those that have had
 * enough, in the same transaction: nothing of them starts in between. After the slots are idle.
 */
export async function countEnded(
  connection: ChannelConnection,
  ended: readonly EndedAttempt[],
): Promise<void> {
  for (const { row, result, definition, next } of ended) {
    if (next !== null || !isCounted(definition) || isBeside(row, definition)) continue;
    const jobId = row.job_id as number;
    const [job] = await connection.query<Row[]>(selectCounts, [jobId]);
    if (job === undefined) continue;
    const counts = countRun(
      { ticksRun: job.ticks_run as number, failuresInRow: job.failures_in_row as number },
      {
        trigger: row.triggered_by as Trigger,
        requestId: row.request_id as string | null,
        result,
      },
    );
    await connection.change(updateCounts, [counts.ticksRun, counts.failuresInRow, jobId]);
    const reason = whyPaused(definition, counts);
    if (reason !== null) await pauseInPlace(connection, jobId, reason);
  }
}

/** A run of a tick that the node which was chosen for it runs, too: that one counts. */
function isBeside(row: Row, { kind }: JobDefinition): boolean {
  return row.node_name !== '' && kind !== 'every-node';
}

const insertAttempts = `/* askAttempts */ INSERT IGNORE INTO pending
    (job_id, node_name, triggered_by, scheduled_for, attempt, request_id, not_before)
  SELECT slot.job_id, slot.node_name, 'retry', slot.scheduled_for, following.attempt,
    IFNULL(slot.request_id, ''), NOW(3) + INTERVAL following.delay_us MICROSECOND
  FROM (SELECT ? AS slot_id, ? AS attempt, ? AS delay_us/* rows */) following
    STRAIGHT_JOIN slot ON slot.slot_id = following.slot_id`;
const selectCounts = `/* countEnded read */ SELECT ticks_run, failures_in_row FROM job
  WHERE job_id = ? AND removed_no = 0 AND paused = 0`;
const updateCounts = `/* countEnded */ UPDATE job SET ticks_run = ?, failures_in_row = ?
  WHERE job_id = ?`;
