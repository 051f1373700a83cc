import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import { nextAttempt } from '../../domain/policies/nextAttempt.ts';
import { countRun, isCounted, whyPaused } from '../../domain/policies/runLimit.ts';
import type { RunResult } from '../../domain/run/run.ts';
import type { ChannelConnection } from '../connection/channel.ts';
import type { Parameter } from '../connection/queryable.ts';
import { pauseInPlace } from '../jobs/changes/writeRevision.ts';
import { integer, rowOf } from '../rows/row.ts';
import type { EndingSlot, NextAttempt } from '../slots/endingSlot.ts';
import type { RevisionCache } from '../slots/revisionCache.ts';

interface Ended {
  readonly slot: EndingSlot;
  readonly result: RunResult;
}

/**
 * What comes after launches that ended so. The definition in force decides: a job that was paused,
 * observed or removed meanwhile starts nothing more, and one that this version does not understand
 * is not for it to start. Each is given its decision in place.
 */
export async function decideAttempts<E extends Ended>(
  connection: ChannelConnection,
  revisions: RevisionCache,
  ended: readonly E[],
): Promise<(E & NextAttempt)[]> {
  const slots = ended.map(({ slot }) => slot);
  const revisionOf = await revisions.load(connection, slots);
  return ended.map((each) => {
    const { slot, result } = each;
    const { definition, whyNot } = revisionOf(slot);
    const mayGoOn = !slot.isJobPaused && definition.observed !== true && whyNot === null;
    const next = mayGoOn ? nextAttempt(definition, result, slot.attempt, Math.random()) : null;
    return Object.assign(each, { definition, isUnderstood: whyNot === null, next });
  });
}

/**
 * Requests the next attempts, each a pending launch of the same tick or request; before the slots
 * are made idle, whose rows have the rest.
 */
export async function requestAttempts(
  connection: ChannelConnection,
  ended: readonly (Ended & NextAttempt)[],
): Promise<void> {
  const parameters = ended.flatMap(({ slot, next }): Parameter[] =>
    next === null ? [] : [slot.slotId, next.attempt, next.delayMs * 1000],
  );
  if (parameters.length === 0) return;
  const rest = ' UNION ALL SELECT ?, ?, ?'.repeat(parameters.length / 3 - 1);
  await connection.change(
    insertAttempts.replace('/* rows */', () => rest),
    parameters,
  );
}

/** A launch that has ended, for the limits of its job. */
export interface CountedEnd extends Pick<NextAttempt, 'definition' | 'next'> {
  readonly slot: Pick<EndingSlot, 'jobId' | 'nodeName' | 'trigger' | 'requestId'>;
  readonly result: RunResult;
}

/**
 * Counts the ticks that are over, of the jobs that have such a limit, and pauses those that have
 * had enough, in the same transaction: nothing of them starts in between. After the slots are idle.
 */
export async function countEnded(
  connection: ChannelConnection,
  ended: readonly CountedEnd[],
): Promise<void> {
  for (const { slot, result, definition, next } of ended) {
    if (next !== null || !isCounted(definition) || isBeside(slot, definition)) continue;
    const { jobId, trigger, requestId } = slot;
    const [before] = await connection.rows(runCounts, selectCounts, [jobId]);
    if (before === undefined) continue;
    const counts = countRun(before, { trigger, requestId, result });
    await connection.change(updateCounts, [counts.ticksRun, counts.failuresInRow, jobId]);
    const reason = whyPaused(definition, counts);
    if (reason !== null) await pauseInPlace(connection, jobId, reason);
  }
}

/** A run of a tick that the node which was chosen for it runs, too: that one counts. */
function isBeside({ nodeName }: CountedEnd['slot'], { kind }: JobDefinition): boolean {
  return nodeName !== '' && kind !== 'every-node';
}

const insertAttempts = `/* requestAttempts */ INSERT IGNORE INTO pending
    (job_id, node_name, triggered_by, scheduled_for, attempt, request_id, not_before)
  SELECT slot.job_id, slot.node_name, 'retry', slot.scheduled_for, following.attempt,
    IFNULL(slot.request_id, ''), NOW(3) + INTERVAL following.delay_us MICROSECOND
  FROM (SELECT ? AS slot_id, ? AS attempt, ? AS delay_us/* rows */) following
    STRAIGHT_JOIN slot ON slot.slot_id = following.slot_id`;
const runCounts = rowOf({ ticksRun: integer, failuresInRow: integer });
const selectCounts = `/* countEnded read */ SELECT ticks_run, failures_in_row FROM job
  WHERE job_id = ? AND removed_no = 0 AND paused = 0`;
const updateCounts = `/* countEnded */ UPDATE job SET ticks_run = ?, failures_in_row = ?
  WHERE job_id = ?`;
