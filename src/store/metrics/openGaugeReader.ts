import type { RunResult } from '../../domain/run/run.ts';
import { readActivity } from '../activity/readActivity.ts';
import { watchActivity } from '../activity/watchActivity.ts';
import { readCluster } from '../cluster/clusterView.ts';
import { countJobs } from '../cluster/countJobs.ts';
import { Channel, type ChannelBounds } from '../connection/channel.ts';
import type { DatabaseAddress } from '../connection/databaseAddress.ts';
import { instantMs, integer, nullable, only, rowOf, text, wordOf } from '../rows/row.ts';
import { readSchemaFit } from '../schema/migrate.ts';

const bounds: ChannelBounds = { timeoutMs: 5_000, lockWaitSeconds: 1, silenceSeconds: 30 };
const sessionsMax = 1_000;

/** What metrics and health read of the whole cluster, without locks. */
export type GaugeReader = ReturnType<typeof openGaugeReader>;

/** Opens a connection of its own for them, at the first use. */
export function openGaugeReader(address: DatabaseAddress) {
  const channel = new Channel('gauges', address, bounds);
  return {
    cluster: () => readCluster(channel, { endedWithinMs: 0, sessionsMax }),
    /** Idle slots, counted up to so many. */
    idleSlots: async (slotsMax: number) =>
      (await channel.rows(only(integer), countIdle, [slotsMax]))[0] ?? 0,
    settledRunId: () => readSettledRunId(channel),
    runTotals: (after: number) => readRunTotals(channel, after),
    jobLabels: (jobsMax: number) => readJobLabels(channel, jobsMax),
    lastSuccess: (jobIds: readonly number[]) => readLastSuccess(channel, jobIds),
    schemaFit: (version: string) => readSchemaFit(channel, version),
    watchActivity: () => watchActivity(channel),
    readActivity: (nodeName: string | null) => readActivity(channel, nodeName),
    close: () => channel.close(),
  };
}

const countIdle = `/* idleSlots */ SELECT COUNT(*) AS idle_slots FROM (
    SELECT 1 FROM slot FORCE INDEX (slot_by_due) WHERE state = 'idle' LIMIT ?) AS idle`;

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

/** The first so many jobs by age, so that it is the same ones each time, and how many there are. */
async function readJobLabels(
  channel: Channel,
  jobsMax: number,
): Promise<{ readonly jobs: ReturnType<typeof jobLabel>[]; readonly all: number }> {
  const jobs = jobsMax === 0 ? [] : await channel.rows(jobLabel, selectJobs, [jobsMax]);
  return { jobs, all: Math.max(jobs.length, await countJobs(channel)) };
}

/** When each of some jobs last succeeded, epoch milliseconds; those that never did are left out. */
export async function readLastSuccess(
  channel: Channel,
  jobIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (jobIds.length === 0) return new Map();
  const rows = await channel.rows(lastSuccess, selectLast, [jobIds]);
  return new Map(
    rows.flatMap(({ jobId, lastMs }) => (lastMs === null ? [] : [[jobId, lastMs] as const])),
  );
}

const jobLabel = rowOf({ jobId: integer, name: text });
const selectJobs = `/* readJobLabels */ SELECT job_id, name FROM job
  WHERE removed_no = 0 ORDER BY job_id LIMIT ?`;
const lastSuccess = rowOf({ jobId: integer, lastMs: nullable(instantMs) });
const selectLast = `/* readLastSuccess */ SELECT job_id,
    (SELECT ended_at FROM run FORCE INDEX (run_by_job)
      WHERE run.job_id = job.job_id AND result = 'succeeded'
      ORDER BY run.job_id DESC, ended_at DESC LIMIT 1) AS last
  FROM job WHERE job_id IN (?)`;
