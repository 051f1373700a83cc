import type { Channel } from '../connection/channel.ts';
import { flag, integer, nullable, rowOf, text } from '../rows/row.ts';

/** Where a pass goes on: behind this job; null: all jobs are done, what is left is the rest. */
interface CleaningTurn {
  readonly afterJobId: number | null;
}

/** A session that says nothing for so long has left its pass to others. */
const turnSeconds = 60;

/**
 * Takes, or keeps, the turn to clean: a compare-and-set on one row, by the database's clock alone.
 * Two that were to clean at once would do no harm but the work twice. Null: a pass is not due, or
 * it is another session's. `until_at` is when the last pass ended, unless one is under way: a node
 * with a shorter period than the one that ended it does not wait for the longer one.
 */
export async function takeCleaning(
  channel: Channel,
  sessionId: string,
  periodMs: number,
): Promise<CleaningTurn | null> {
  const [turn] = await channel.rows(cleaningTurn, selectTurn, [periodMs * 1000]);
  if (turn?.isDue !== true) return null;
  if (turn.isHeld && turn.sessionId !== sessionId) return null;
  const parameters = [sessionId, turnSeconds, sessionId, turn.sessionId];
  const affected = await channel.change(takeTurn, parameters);
  return affected === 1 ? { afterJobId: turn.afterJobId } : null;
}

/** Notes how far the pass has come. */
export function moveCleaning(
  channel: Channel,
  sessionId: string,
  afterJobId: number | null,
): Promise<number> {
  return channel.change(moveTurn, [afterJobId, sessionId]);
}

/** Ends the pass; the next one is due after the period, anybody's. */
export function finishCleaning(
  channel: Channel,
  sessionId: string,
  periodMs: number,
): Promise<number> {
  return channel.change(finishTurn, [periodMs * 1000, sessionId]);
}

const cleaningTurn = rowOf({
  sessionId: text,
  afterJobId: nullable(integer),
  isHeld: flag,
  isDue: flag,
});
const selectTurn = `/* takeCleaning read */ SELECT session_id, job_id AS after_job_id,
    until_at > NOW(3) AS is_held,
    due_at <= NOW(3) OR until_at + INTERVAL ? MICROSECOND <= NOW(3) AS is_due
  FROM cleaning WHERE cleaning_id = 1`;
const takeTurn = `/* takeCleaning */ UPDATE cleaning
  SET session_id = ?, until_at = NOW(3) + INTERVAL ? SECOND
  WHERE cleaning_id = 1 AND (session_id = ? OR (session_id = ? AND until_at <= NOW(3)))`;
const moveTurn = `/* moveCleaning */ UPDATE cleaning SET job_id = ?
  WHERE cleaning_id = 1 AND session_id = ?`;
const finishTurn = `/* finishCleaning */ UPDATE cleaning
  SET job_id = 0, until_at = NOW(3), due_at = NOW(3) + INTERVAL ? MICROSECOND
  WHERE cleaning_id = 1 AND session_id = ?`;
