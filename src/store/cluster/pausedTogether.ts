import {
  endOfTogether,
  type PauseReason,
  readPauseReason,
} from '../../domain/reasons/readPauseReason.ts';
import { pausedByStart, togetherStart } from '../../domain/reasons/reasons.ts';
import { counted } from '../../domain/text/counted.ts';
import type { Channel } from '../connection/channel.ts';
import { instantMs, integer, nullable, rowOf, text } from '../rows/row.ts';

/** A pause of many jobs that has not ended. */
export interface PauseShown extends PauseReason {
  readonly jobs: number;
  /** Of the revision of each of them. */
  readonly reason: string;
  readonly sinceMs: number;
  /** When the last of them is resumed; null: one at least is paused for good. */
  readonly untilMs: number | null;
  readonly warning: string;
}

/**
 * The pauses of many jobs that have not ended: those made together, and others that have several
 * jobs. So many paused jobs are looked at, which is enough to see that there is one.
 */
export async function pausedTogether(channel: Channel): Promise<PauseShown[]> {
  const together = `${togetherStart}%`;
  const bounds = [pausedMax, together, `${pausedByStart}%`, together, shownMax];
  const rows = await channel.rows(pausedRow, selectPaused, bounds);
  return rows.map(({ jobs, reason, sinceMs, untilMs }) => {
    const read = readPauseReason(reason);
    const since = `since ${new Date(sinceMs).toISOString()}`;
    const until = untilMs === null ? '' : `, until ${new Date(untilMs).toISOString()}`;
    const end = untilMs === null ? 'end it with' : 'end it earlier with';
    const command = endOfTogether(read);
    const how = command === null ? seePaused : `${end}: ${command}`;
    const are = counted(jobs, 'job is', 'jobs are');
    const warning = `${are} ${reason} (${since}${until}); ${how}`;
    return { ...read, jobs, reason, sinceMs, untilMs, warning };
  });
}

const pausedMax = 10_000;
const shownMax = 10;

const seePaused = 'see: statecron job list --state paused';

const pausedRow = rowOf({
  ...{ reason: text, jobs: integer, sinceMs: instantMs },
  untilMs: nullable(instantMs),
});
const selectPaused = `/* pausedTogether */ SELECT STRAIGHT_JOIN reason, COUNT(*) AS jobs,
    MIN(in_force_from) AS since, IF(COUNT(resume_at) = COUNT(*), MAX(resume_at), NULL) AS until
  FROM (SELECT job_id, revision, resume_at FROM job FORCE INDEX (job_by_pause)
      WHERE paused = 1 AND removed_no = 0 LIMIT ?) AS paused
    JOIN job_revision ON job_revision.job_id = paused.job_id
      AND job_revision.revision = paused.revision
  WHERE reason LIKE ? OR reason LIKE ? GROUP BY reason
  HAVING COUNT(*) > 1 OR reason LIKE ? ORDER BY since LIMIT ?`;
