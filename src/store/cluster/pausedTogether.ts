import { togetherStart } from '../../domain/reasons/reasons.ts';
import { shellWord } from '../../domain/text/quoteForShell.ts';
import type { Channel } from '../connection/channel.ts';
import { instantMs, integer, nullable, rowOf, text } from '../rows/row.ts';

/**
 * A warning for each pause of many jobs together that has not ended. So many paused jobs are looked
 * at, which is enough to see that there is one.
 */
export async function pausedTogether(channel: Channel): Promise<string[]> {
  const bounds = [pausedMax, `${togetherStart}%`, shownMax];
  const rows = await channel.rows(pausedRow, selectPaused, bounds);
  return rows.map(({ jobs, reason, sinceMs, untilMs }) => {
    const are = jobs === 1 ? '1 job is' : `${jobs} jobs are`;
    const since = `since ${new Date(sinceMs).toISOString()}`;
    const until = untilMs === null ? '' : `, until ${new Date(untilMs).toISOString()}`;
    const end = untilMs === null ? 'end it with' : 'end it earlier with';
    return `${are} ${reason} (${since}${until}); ${end}: statecron resume ${flagOf(reason)}`;
  });
}

const pausedMax = 10_000;
const shownMax = 10;

/** The flag by which `statecron resume` ends the pause that a reason is of. */
function flagOf(reason: string): string {
  const [, kind, name] = /^.*? with (group|tag) ("(?:[^"\\]|\\.)*") by /.exec(reason) ?? [];
  if (kind === undefined || name === undefined) return '--all';
  return `--${kind} ${shellWord(JSON.parse(name) as string)}`;
}

const pausedRow = rowOf({
  ...{ reason: text, jobs: integer, sinceMs: instantMs },
  /** When the last of them is resumed; null: one at least is paused for good. */
  untilMs: nullable(instantMs),
});
const selectPaused = `/* pausedTogether */ SELECT STRAIGHT_JOIN reason, COUNT(*) AS jobs,
    MIN(in_force_from) AS since, IF(COUNT(resume_at) = COUNT(*), MAX(resume_at), NULL) AS until
  FROM (SELECT job_id, revision, resume_at FROM job FORCE INDEX (job_by_pause)
      WHERE paused = 1 AND removed_no = 0 LIMIT ?) AS paused
    JOIN job_revision ON job_revision.job_id = paused.job_id
      AND job_revision.revision = paused.revision
  WHERE reason LIKE ? GROUP BY reason ORDER BY since LIMIT ?`;
