import { JobVerifier } from '../../domain/verify/jobVerifier.ts';
import type { FindingLog } from '../../domain/verify/rules/finding.ts';
import type { JobRecord, RunRecord, SlotRecord } from '../../domain/verify/rules/records.ts';
import type { RuleCode } from '../../domain/verify/rules/verifyRules.ts';
import type { VerifyScope } from '../../domain/verify/rules/verifyScope.ts';
import type { ChannelConnection } from '../connection/channel.ts';
import { integer, rowOf, text } from '../rows/row.ts';
import { type JobOrdered, JobPages } from './jobPages.ts';
import { SessionCache } from './sessionCache.ts';
import { jobTable, pendingTable, revisionTable, runTable, slotTable } from './verifyTables.ts';

/** How far a verification has come: jobs that are done, history rows that were read. */
export interface VerifyProgress {
  readonly jobs: number;
  readonly runs: number;
}

/**
 * Goes through all tables side by side in the order of the jobs' ids and verifies job after job. A
 * row whose job is passed by belongs to none.
 */
export async function verifyJobs(
  connection: ChannelConnection,
  scope: VerifyScope,
  jobIds: readonly number[] | null,
  log: FindingLog,
  progress: (far: VerifyProgress) => void = () => undefined,
): Promise<VerifyProgress & { readonly ticks: number }> {
  const tables = openTables(connection, scope, jobIds);
  const sessions = new SessionCache(connection);
  let jobs = 0;
  let ticks = 0;
  for (;;) {
    const jobId = await tables.jobs.nextJob();
    await passStrays(tables, jobId, log);
    if (jobId === null) return { jobs, ticks, runs: tables.runs.rows };
    const [job] = await tables.jobs.takeAll(jobId);
    if (job === undefined) throw new Error('verifyJobs: a job without its row');
    ticks += await verifyJob(connection, job, tables, { scope, sessions, log }, () =>
      progress({ jobs, runs: tables.runs.rows }),
    );
    jobs += 1;
  }
}

function openTables(
  connection: ChannelConnection,
  scope: VerifyScope,
  jobIds: readonly number[] | null,
) {
  return {
    jobs: new JobPages(connection, jobTable, jobIds),
    revisions: new JobPages(connection, revisionTable, jobIds),
    slots: new JobPages(connection, slotTable, jobIds),
    pending: new JobPages(connection, pendingTable, jobIds),
    runs: new JobPages(connection, boundedRuns(scope), jobIds),
  };
}

type Tables = ReturnType<typeof openTables>;

interface Bench {
  readonly scope: VerifyScope;
  readonly sessions: SessionCache;
  readonly log: FindingLog;
}

/** Resolves to the ticks that are accounted for. */
async function verifyJob(
  connection: ChannelConnection,
  job: JobRecord,
  tables: Tables,
  { scope, sessions, log }: Bench,
  progress: () => void,
): Promise<number> {
  const { jobId } = job;
  const revisions = await tables.revisions.takeAll(jobId);
  const slots = await readSlots(connection, await tables.slots.takeAll(jobId), sessions);
  const pending = await tables.pending.takeAll(jobId);
  const verifier = new JobVerifier({ job, revisions, slots, pending }, scope, log);
  for (;;) {
    const runs = await tables.runs.take(jobId);
    if (runs.length === 0) return verifier.finish();
    await sessions.load(runs);
    for (const run of runs) verifier.takeRun(run, sessions.get(run.sessionId));
    progress();
  }
}

async function readSlots(
  connection: ChannelConnection,
  slots: readonly ReturnType<typeof slotTable.decode>[],
  sessions: SessionCache,
): Promise<SlotRecord[]> {
  await sessions.load(slots);
  const launchIds = slots.flatMap(({ launchId }) => launchId ?? []);
  const runs =
    launchIds.length === 0 ? [] : await connection.rows(recordedRun, selectRecorded, [launchIds]);
  const recorded = new Map(runs.map(({ launchId, ...run }) => [launchId, run]));
  return slots.map((slot) => ({
    ...slot,
    session: sessions.get(slot.sessionId),
    recorded: recorded.get(slot.launchId ?? '') ?? null,
  }));
}

/**
 * A row stands where it ended. That is later than its ticks, but for launches that were taken back
 * ahead of them, and ranges that an edit ended ahead; so read on from an hour before.
 */
function boundedRuns({ sinceMs }: VerifyScope): JobOrdered<RunRecord> {
  if (sinceMs === Number.NEGATIVE_INFINITY) return runTable;
  const fromMs = Math.max(sinceMs - 3_600_000, 0);
  return { ...runTable, where: 'ended_at >= ?', parameters: [new Date(fromMs)] };
}

/** Passes the rows by that stand before the next job, and so belong to none. */
async function passStrays(tables: Tables, jobId: number | null, log: FindingLog): Promise<void> {
  const pass = async (
    table: Exclude<keyof Tables, 'jobs'>,
    code: RuleCode,
    what: string,
  ): Promise<void> => {
    for (;;) {
      const stray = await tables[table].nextJob();
      if (stray === null || (jobId !== null && stray >= jobId)) return;
      let rows = 0;
      for (;;) {
        const taken = await tables[table].take(stray);
        if (taken.length === 0) break;
        rows += taken.length;
      }
      log.add(code, null, `${rows} ${what} of job id ${stray}, which is not there`);
    }
  };
  await pass('revisions', 'run_orphan', 'revisions');
  await pass('runs', 'run_orphan', 'history rows');
  await pass('slots', 'slot_orphan', 'slots');
  await pass('pending', 'slot_orphan', 'launches asked for');
}

const recordedRun = rowOf({ launchId: text, jobId: integer, result: text });
const selectRecorded = `/* verify recorded */ SELECT launch_id, job_id, result FROM run
  WHERE launch_id IN (?)`;
