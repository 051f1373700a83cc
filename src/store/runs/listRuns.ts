import type { Channel, Row } from '../channel.ts';
import type { Parameter } from '../queryable.ts';
import { launchColumns, type RunShown, runColumns, runOf } from './runRow.ts';

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
  let last: Row | undefined;
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
      parameters.push(last.ended_at as Date, last.ended_at as Date, last.run_id as number);
    }
    const sql = `${selectRuns} WHERE ${where.join(' AND ')} ${newestFirst}`;
    const rows = await channel.query<Row[]>(sql, [...parameters, Math.min(left, pageMax)]);
    yield* rows.map(runOf);
    left -= rows.length;
    if (rows.length < pageMax) return;
    last = rows.at(-1);
  }
}

/** The launches that are executing now, the newest first. */
export async function listRunning(channel: Channel, filter: RunFilter): Promise<RunShown[]> {
  const jobIds = filter.job === undefined ? null : await readJobIds(channel, filter.job);
  if (jobIds?.length === 0) return [];
  const ofJob = jobIds === null ? '' : 'AND slot.job_id IN (?)';
  const sql = `/* listRunning */ SELECT ${launchColumns}
    WHERE slot.state = 'executing' ${ofJob} ORDER BY slot.started_at DESC LIMIT ?`;
  const parameters = jobIds === null ? [filter.runsMax] : [jobIds, filter.runsMax];
  return (await channel.query<Row[]>(sql, parameters)).map(runOf);
}

async function readJobIds(channel: Channel, name: string): Promise<number[]> {
  const rows = await channel.query<Row[]>(selectJobIds, [name]);
  return rows.map((row) => row.job_id as number);
}

const pageMax = 1_000;
/** Runs first: else MariaDB begins with a short table of jobs and sorts the whole history. */
const selectRuns = `/* listRuns */ SELECT STRAIGHT_JOIN ${runColumns}`;
const newestFirst = 'ORDER BY run.ended_at DESC, run.run_id DESC LIMIT ?';
const selectJobIds = '/* listRuns job */ SELECT job_id FROM job WHERE name = ?';
