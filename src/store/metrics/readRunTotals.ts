import type { RunResult } from '../../domain/run/run.ts';
import type { Channel } from '../connection/channel.ts';
import { instantMs, integer, nullable, only, rowOf, wordOf } from '../rows/row.ts';

/** History rows of one job with one result, of those that were read. */
export type RunTotal = ReturnType<typeof runTotal>;

/** Where a reader begins that counts what ends from now on. */
export async function readSettledRunId(channel: Channel): Promise<number> {
  const newest = [settledSeconds, rowsMax];
  const [settled] = await channel.rows(only(nullable(integer)), selectSettled, newest);
  return settled ?? 0;
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
  const following = [settledSeconds, after, rowsMax];
  const [settled] = await channel.rows(only(nullable(integer)), selectBounds, following);
  const until = settled ?? after;
  if (until <= after) return { until: after, totals: [] };
  return { until, totals: await channel.rows(runTotal, selectTotals, [after, until]) };
}

const settledSeconds = 10;
const rowsMax = 50_000;

const lastSettled = 'MAX(IF(ended_at < NOW(3) - INTERVAL ? SECOND, run_id, NULL))';
const selectSettled = `/* readSettledRunId */ SELECT IFNULL(${lastSettled}, MIN(run_id)) AS settled
  FROM (SELECT run_id, ended_at FROM run ORDER BY run_id DESC LIMIT ?) AS newest`;
const selectBounds = `/* readRunTotals bounds */ SELECT ${lastSettled} AS until
  FROM (SELECT run_id, ended_at FROM run WHERE run_id > ? ORDER BY run_id LIMIT ?) AS following`;
const runTotal = rowOf({
  jobId: integer,
  result: wordOf<RunResult>(),
  rows: integer,
  lastMs: instantMs,
});
const selectTotals = `/* readRunTotals */ SELECT job_id, result, COUNT(*) AS 'rows',
    MAX(ended_at) AS last
  FROM run FORCE INDEX (PRIMARY) WHERE run_id > ? AND run_id <= ? GROUP BY job_id, result`;
