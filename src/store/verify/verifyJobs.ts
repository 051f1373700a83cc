import { JobVerifier } from '../../domain/verify/jobVerifier.ts';
import type { FindingLog } from '../../domain/verify/rules/finding.ts';
import type { RunRecord, SessionRecord, SlotRecord } from '../../domain/verify/rules/records.ts';
import type { VerifyScope } from '../../domain/verify/rules/verifyScope.ts';
import type { ChannelConnection } from '../connection/channel.ts';
import { integer, rowOf, text } from '../rows/row.ts';
import { type JobOrdered, JobPages } from './jobPages.ts';
import {
  jobTable,
  pendingTable,
  revisionTable,
  runTable,
  selectSession,
  sessionColumns,
  slotTable,
} from './verifyTables.ts';

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
): Promise<VerifyProgress & { readonly removed: number; readonly ticks: number }> {
  const tables = openTables(connection, scope, jobIds);
  const sessions = new SessionCache(connection);
  let jobs = 0;
  let removed = 0;
  let ticks = 0;
  for (;;) {
    const jobId = await tables.jobs.nextJob();
    await passStrays(tables, jobId, log);
    if (jobId === null) return { jobs, removed, ticks, runs: tables.runs.rows };
    const [job] = await tables.jobs.takeAll(jobId);
    if (job === undefined) throw new Error('verifyJobs: a job without its row');
    const revisions = await tables.revisions.takeAll(jobId);
    const slots = await readSlots(connection, await tables.slots.takeAll(jobId), sessions);
    const pending = await tables.pending.takeAll(jobId);
    const verifier = new JobVerifier({ job, revisions, slots, pending }, scope, log);
    for (let runs = await tables.runs.take(jobId); runs.length > 0; ) {
      await sessions.load(runs);
      for (const run of runs) verifier.takeRun(run, sessions.get(run.sessionId));
      progress({ jobs, runs: tables.runs.rows });
      runs = await tables.runs.take(jobId);
    }
    ticks += verifier.finish();
    jobs += 1;
    if (job.isRemoved) removed += 1;
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

async function readSlots(
  connection: ChannelConnection,
  slots: readonly ReturnType<typeof slotTable.decode>[],
  sessions: SessionCache,
): Promise<SlotRecord[]> {
  await sessions.load(slots);
  const ids = slots.flatMap(({ launchId }) => launchId ?? []);
  const runs = ids.length === 0 ? [] : await connection.rows(recordedRun, selectRecorded, [ids]);
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
  if (sinceMs === -Infinity) return runTable;
  const fromMs = Math.max(sinceMs - 3_600_000, 0);
  return { ...runTable, where: 'ended_at >= ?', parameters: [new Date(fromMs)] };
}

/** Passes the rows by that stand before the next job, and so belong to none. */
async function passStrays(tables: Tables, jobId: number | null, log: FindingLog): Promise<void> {
  for (const [table, code, what] of strayKinds) {
    for (;;) {
      const stray = await tables[table].nextJob();
      if (stray === null || (jobId !== null && stray >= jobId)) break;
      let rows = 0;
      let taken = await tables[table].take(stray);
      for (; taken.length > 0; taken = await tables[table].take(stray)) rows += taken.length;
      log.add(code, null, `${rows} ${what} of job id ${stray}, which is not there`);
    }
  }
}

const strayKinds = [
  ['revisions', 'run_orphan', 'revisions'],
  ['runs', 'run_orphan', 'history rows'],
  ['slots', 'slot_orphan', 'slots'],
  ['pending', 'slot_orphan', 'requested launches'],
] as const;

const recordedRun = rowOf({ launchId: text, jobId: integer, result: text });
const selectRecorded = `/* verify recorded */ SELECT launch_id, job_id, result FROM run
  WHERE launch_id IN (?)`;

/**
 * The sessions that rows name, read when they are first named and kept while there is room: a job's
 * history names the same few over and over.
 */
class SessionCache {
  readonly #connection: ChannelConnection;
  readonly #entriesMax: number;
  readonly #sessions = new Map<string, SessionRecord | null>();

  constructor(connection: ChannelConnection, entriesMax = 20_000) {
    this.#connection = connection;
    this.#entriesMax = entriesMax;
  }

  /** Makes sure that `get` knows the sessions that these rows name. */
  async load(rows: readonly { readonly sessionId: string | null }[]): Promise<void> {
    const named = new Set(rows.flatMap(({ sessionId }) => sessionId ?? []));
    let wanted = [...named].filter((id) => !this.#sessions.has(id));
    if (wanted.length === 0) return;
    if (this.#sessions.size + wanted.length > this.#entriesMax) {
      this.#sessions.clear();
      wanted = [...named];
    }
    for (const id of wanted) this.#sessions.set(id, null);
    const found = await this.#connection.rows(rowOf(sessionColumns), selectSessions, [wanted]);
    for (const session of found) this.#sessions.set(session.sessionId, session);
  }

  /** The session, or null when there is no such row. */
  get(sessionId: string | null): SessionRecord | null {
    return sessionId === null ? null : (this.#sessions.get(sessionId) ?? null);
  }
}

const selectSessions = `/* verify session */ SELECT ${selectSession} FROM session
  WHERE session_id IN (?)`;
