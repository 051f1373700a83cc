import type { RunResult } from '../../domain/run.ts';
import type { Channel, Row } from '../channel.ts';

/** History rows of one job with one result, of those that were read. */
export interface RunTotal {
  readonly jobId: number;
  readonly result: RunResult;
  readonly rows: number;
  readonly lastMs: number;
}

/** Where a reader begins that counts what ends from now on. */
export async function readSettledRunId(channel: Channel): Promise<number> {
  const [row] = await channel.query<Row[]>(selectSettled, [settledSeconds, rowsMax]);
  return Number(row?.settled ?? 0);
}

/**
 * Counts the history rows with numbers above `after`, up to the highest that was not written just
 * now: until then nearly all below it are committed, too. Resolves to where the next reading goes
 * on. A row whose transaction took longer is not counted; metrics may be wrong by so little.
 */
export async function readRunTotals(
  channel: Channel,
  after: number,
): Promise<{ readonly until: number; readonly totals: RunTotal[] }> {
  const [bounds] = await channel.query<Row[]>(selectBounds, [settledSeconds, after, rowsMax]);
  const until = Number(bounds?.until ?? after);
  if (until <= after) return { until: after, totals: [] };
  const rows = await channel.query<Row[]>(selectTotals, [after, until]);
  const totals = rows.map((row) => ({
    jobId: row.job_id as number,
    result: row.result as RunResult,
    rows: Number(row.run_rows),
    lastMs: (row.last_at as Date).getTime(),
  }));
  return { until, totals };
}

const settledSeconds = 10;
const rowsMax = 50_000;

const lastSettled = 'MAX(IF(ended_at < NOW(3) - INTERVAL ? SECOND, run_id, NULL))';
const selectSettled = `/* readSettledRunId */ SELECT IFNULL(${lastSettled}, MIN(run_id)) AS settled
  FROM (SELECT run_id, ended_at FROM run ORDER BY run_id DESC LIMIT ?) AS newest`;
const selectBounds = `/* readRunTotals bounds */ SELECT ${lastSettled} AS until
  FROM (SELECT run_id, ended_at FROM run WHERE run_id > ? ORDER BY run_id LIMIT ?) AS following`;
const selectTotals = `/* readRunTotals */ SELECT job_id, result, COUNT(*) AS run_rows,
    MAX(ended_at) AS last_at
  FROM run FORCE INDEX (PRIMARY) WHERE run_id > ? AND run_id <= ? GROUP BY job_id, result`;
