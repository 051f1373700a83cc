import type { RunPlace } from '../../domain/commit/historyKeep.ts';
import type { Channel } from '../connection/channel.ts';
import type { Parameter } from '../connection/queryable.ts';
import { readJobIds } from './readJobIds.ts';
import { historyRun, type RunShown, runColumns } from './runRow.ts';

export interface RunFilter {
  /** Only of the job with this name, removed ones of that name included. */
  readonly job?: string;
  /** Only what ended in the last so many milliseconds, by the database's clock. */
  readonly sinceMs?: number;
  readonly runsMax: number;
}

/**
 * The history, newest first by the time of the end, read page by page: a long answer needs no more
 * memory than a page, and holds nothing in the database.
 */
export async function* listRuns(channel: Channel, filter: RunFilter): AsyncGenerator<RunShown> {
  const jobIds = filter.job === undefined ? null : await readJobIds(channel, filter.job);
  if (jobIds?.length === 0) return;
  let left = filter.runsMax;
  let last: RunPlace | undefined;
  while (left > 0) {
    const where: string[] = ['1 = 1'];
    const parameters: Parameter[] = [];
    if (jobIds !== null) {
      where.push('run.job_id IN (?)');
      parameters.push(jobIds);
    }
    if (filter.sinceMs !== undefined) {
      where.push('run.ended_at >= NOW(3) - INTERVAL ? MICROSECOND');
      parameters.push(filter.sinceMs * 1000);
    }
    if (last !== undefined) {
      where.push('run.ended_at <= ? AND (run.ended_at < ? OR run.run_id < ?)');
      const endedAt = new Date(last.endedMs);
      parameters.push(endedAt, endedAt, last.runId);
    }
    const sql = `${selectRuns} WHERE ${where.join(' AND ')} ${newestFirst}`;
    const runs = await channel.rows(historyRun, sql, [...parameters, Math.min(left, pageMax)]);
    yield* runs;
    left -= runs.length;
    if (runs.length < pageMax) return;
    last = runs.at(-1);
  }
}

const pageMax = 1_000;
/** Runs first: else MariaDB begins with a short table of jobs and sorts the whole history. */
const selectRuns = `/* listRuns */ SELECT STRAIGHT_JOIN ${runColumns}`;
const newestFirst = 'ORDER BY run.ended_at DESC, run.run_id DESC LIMIT ?';
