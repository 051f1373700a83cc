import type { Channel } from '../connection/channel.ts';
import { Conditions } from '../connection/conditions.ts';
import { each, instantMs, integer, nullable, only, rowOf, text } from '../rows/row.ts';
import { runColumns, shownColumns } from '../runs/runRow.ts';
import { columnsOfGroups } from '../targeting/ensureTarget.ts';

/** A history row as events have it: by its number, with the group that its job is of today. */
export type RunEvent = ReturnType<typeof runEvent>;

/** Rows with a number above `after` and up to `until`, in the order of their numbers. */
export function readRunsAfter(
  channel: Channel,
  after: number,
  until: number,
  rowsMax: number,
): Promise<RunEvent[]> {
  return channel.rows(runEvent, selectAfter, [after, until, rowsMax]);
}

/** Those rows of the given numbers that are there by now, in the order of their numbers. */
export function readRunsAmong(channel: Channel, runIds: readonly number[]): Promise<RunEvent[]> {
  return channel.rowsOf(runEvent, selectAmong, runIds, numbersMax);
}

/**
 * The number of the last row before those that ended within `ageMs`: what is missing below it will
 * not appear any more. 0: there is none.
 */
export async function readSettledRun(channel: Channel, ageMs: number): Promise<number> {
  return (await channel.rows(only(nullable(integer)), selectSettled, [ageMs * 1_000]))[0] ?? 0;
}

/** Whose history is read; both absent: everybody's. */
export interface HistoryScope {
  readonly jobs?: readonly string[];
  readonly groups?: readonly string[];
}

/**
 * Between which numbers the history of some jobs is whole: the highest that was cleaned away, and
 * the highest that there is; 0: none.
 */
export async function readHistoryBounds(channel: Channel, { jobs, groups }: HistoryScope) {
  const conditions = new Conditions();
  conditions.need('job.name IN (?)', jobs);
  conditions.need(`${groupOfJob} IN (?)`, groups && columnsOfGroups(groups));
  const { where, parameters } = conditions;
  const bounds = await channel.row(historyBounds, `${selectBounds} ${where}`, parameters);
  const { deletedUntil, notedUntil, high, nowMs } = bounds;
  return { deletedUntil: Math.max(deletedUntil ?? 0, notedUntil ?? 0), high: high ?? 0, nowMs };
}

/** The group that a job's definition in force names; '': none. */
export const groupOfJob = `IFNULL((SELECT target.job_group FROM target
    WHERE target.target_id = job.target_id), '')`;

const numbersMax = 1_000;

const runEvent = rowOf({
  ...shownColumns,
  runId: integer,
  endedMs: instantMs,
  sessionId: nullable(text),
});
const columns = `STRAIGHT_JOIN ${runColumns}`;
const selectAfter = `/* readRunsAfter */ SELECT ${columns}
  WHERE run.run_id > ? AND run.run_id <= ? ORDER BY run.run_id LIMIT ?`;
const selectAmong = `/* readRunsAmong */ SELECT ${columns}
  WHERE run.run_id IN (?) ORDER BY run.run_id`;
const selectSettled = `/* readSettledRun */ SELECT MAX(run_id) AS settled FROM run
  WHERE run_id < IFNULL((SELECT MIN(run_id) FROM run FORCE INDEX (run_by_ended)
    WHERE ended_at >= NOW(3) - INTERVAL ? MICROSECOND), ${Number.MAX_SAFE_INTEGER})`;
const historyBounds = rowOf({
  ...each(nullable(integer), 'deletedUntil', 'notedUntil', 'high'),
  nowMs: instantMs,
});
const selectBounds = `/* readHistoryBounds */ SELECT MAX(job.runs_deleted_until) AS deleted_until,
    (SELECT note_value FROM note WHERE note_name = 'runs_deleted_until') AS noted_until,
    (SELECT MAX(run_id) FROM run) AS high, NOW(3) AS now
  FROM job`;
