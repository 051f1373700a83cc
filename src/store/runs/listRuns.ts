import type { RunPlace } from '../../domain/commit/historyKeep.ts';
import type { RunResult } from '../../domain/run/run.ts';
import { instantOf, type Since } from '../../domain/verify/since.ts';
import type { Channel } from '../connection/channel.ts';
import { Conditions } from '../connection/conditions.ts';
import type { Queryable } from '../connection/queryable.ts';
import { instantMs, integer, only, rowOf } from '../rows/row.ts';
import { columnsOfGroups } from '../targeting/ensureTarget.ts';
import { historyRun, launchColumns, type RunShown, runColumns, runShown } from './runRow.ts';

/** Conditions on the runs of a list: those are shown that meet every one that is given. */
interface RunConditions {
  /** Of the job with this name, removed ones of that name included. */
  readonly job?: string;
  readonly requestId?: string;
  /** Of jobs of these groups; `default`: of none other. */
  readonly groups?: readonly string[];
  readonly results?: readonly RunResult[];
  /** The node that had it. */
  readonly node?: string;
  readonly isFinal?: boolean;
  /** Ended at this instant or later, epoch milliseconds. */
  readonly sinceMs?: number;
  /** Ended before. */
  readonly untilMs?: number;
}

interface RunPageQuery extends RunConditions {
  /** Where the page before ended: its `next`. */
  readonly after: RunPlace | null;
  readonly runsMax: number;
}

interface RunPage {
  readonly runs: readonly RunShown[];
  readonly next: RunPlace | null;
}

/**
 * One page of the history, newest first, by an index and never by an offset. Conditions that no
 * index serves are tried on a bounded number of rows for each page, so that a page may have fewer
 * runs than requested, even none, though `next` says that it goes on.
 */
export async function pageOfRuns(channel: Channel, asked: RunPageQuery): Promise<RunPage> {
  const { jobIds, query } = await ofFewJobs(channel, asked);
  if (jobIds?.length === 0) return { runs: [], next: null };
  const conditions = conditionsOf(query);
  const rowsMax = query.runsMax + 1;
  const rows: ReturnType<typeof historyRun>[] = [];
  let { after } = query;
  for (const size of windowSizes(conditions, rowsMax, jobIds)) {
    const window = windowOf({ ...query, after }, size, jobIds);
    const sql = `/* pageOfRuns */ SELECT STRAIGHT_JOIN ${scannedColumns(`${window.sql} LIMIT ?`)}
      ${conditions.where} ORDER BY run.ended_at DESC, run.run_id DESC LIMIT ?`;
    const limits = [...conditions.parameters, rowsMax - rows.length];
    rows.push(...(await channel.rows(historyRun, sql, [...window.parameters, size, ...limits])));
    const runs = rows.slice(0, query.runsMax);
    const last = runs.at(-1);
    if (last !== undefined && runs.length < rows.length) {
      return { runs, next: { endedMs: last.endedMs, runId: last.runId } };
    }
    after = conditions.isEmpty ? null : await endOf(channel, window, size);
    if (after === null) return { runs, next: null };
  }
  return { runs: rows, next: after };
}

/**
 * How many rows a page looks at, and then, if those that meet the conditions do not fill it. The
 * first look is enough for what one row in ten has. Of several jobs so many of each are read.
 */
function windowSizes(conditions: Conditions, rowsMax: number, jobIds?: readonly number[]) {
  if (conditions.isEmpty) return [rowsMax];
  const scanMax = Math.max((jobIds?.length ?? 0) > 1 ? 1_000 : 5_000, rowsMax);
  const first = Math.min(scanMax, Math.max(500, rowsMax));
  return first === scanMax ? [first] : [first, scanMax - first];
}

/** The last of the rows of a window; null: it has fewer. */
async function endOf(channel: Channel, { parameters, sql }: Window, size: number) {
  const end = `/* pageOfRuns end */ SELECT run_id, ended_at AS ended
    FROM (${sql} LIMIT 1 OFFSET ?) AS edge`;
  const [place = null] = await channel.rows(runPlace, end, [...parameters, size - 1]);
  return place;
}

type Window = ReturnType<typeof windowOf>;

/** The launches that execute now and meet the conditions, the newest first. */
export async function listRunning(
  channel: Channel,
  query: Pick<RunConditions, 'job' | 'groups' | 'node'> & { readonly runsMax: number },
): Promise<RunShown[]> {
  const { job, runsMax, ...others } = query;
  const conditions = conditionsOf(others, "slot.state = 'executing'");
  conditions.need('job.name = ?', job);
  const sql = `/* listRunning */ SELECT ${launchColumns}
    ${conditions.where} ORDER BY slot.started_at DESC LIMIT ?`;
  return channel.rows(runShown, sql, [...conditions.parameters, runsMax]);
}

export interface RunFilter extends Pick<RunConditions, 'job' | 'results' | 'node'> {
  /** Only of jobs of this group; `default`: of none other. */
  readonly group?: string;
  /** Only what ended since then; so long ago by the database's clock. */
  readonly since?: Since;
  readonly runsMax: number;
}

/**
 * The history, newest first by the time of the end, read page by page: a long answer needs no more
 * memory than a page, and holds nothing in the database.
 */
export async function* listRuns(channel: Channel, filter: RunFilter): AsyncGenerator<RunShown> {
  const sinceMs = filter.since && instantOf(filter.since, await channel.readNow());
  if ((filter.group ?? filter.node ?? filter.results) !== undefined) {
    yield* listSelected(channel, filter, sinceMs);
    return;
  }
  const jobIds = await jobIdsOf(channel, filter);
  if (jobIds?.length === 0) return;
  let left = filter.runsMax;
  let last: RunPlace | undefined;
  while (left > 0) {
    const conditions = new Conditions();
    conditions.need('run.job_id IN (?)', jobIds);
    conditions.need('run.ended_at >= ?', sinceMs === undefined ? undefined : new Date(sinceMs));
    needBefore(conditions, 'run.', last);
    const sql = `${selectRuns} ${conditions.where} ${newestFirst}`;
    const parameters = [...conditions.parameters, Math.min(left, pageMax)];
    const runs = await channel.rows(historyRun, sql, parameters);
    yield* runs;
    left -= runs.length;
    if (runs.length < pageMax) return;
    last = runs.at(-1);
  }
}

/** The same with conditions that no index serves: each page looks at a bounded part. */
async function* listSelected(
  channel: Channel,
  { group, runsMax, since: _, ...filter }: RunFilter,
  sinceMs: number | undefined,
): AsyncGenerator<RunShown> {
  const conditions = {
    ...filter,
    ...(group === undefined ? {} : { groups: [group] }),
    ...(sinceMs === undefined ? {} : { sinceMs }),
  };
  let after: RunPlace | null = null;
  for (let left = runsMax; left > 0; ) {
    const query: RunPageQuery = { ...conditions, after, runsMax: Math.min(left, pageMax) };
    const { runs, next } = await pageOfRuns(channel, query);
    yield* runs;
    left -= runs.length;
    if (next === null) return;
    after = next;
  }
}

const pageMax = 1_000;
/** Runs first: else MariaDB begins with a short table of jobs and sorts the whole history. */
const selectRuns = `/* listRuns */ SELECT STRAIGHT_JOIN ${runColumns}`;
const newestFirst = 'ORDER BY run.ended_at DESC, run.run_id DESC LIMIT ?';

/**
 * The jobs that a page is of, where they are named or their groups have only a few: then what is
 * selected by is no condition any more.
 */
async function ofFewJobs(channel: Channel, query: RunPageQuery) {
  const { groups, job, requestId } = query;
  if (job !== undefined) return { query, jobIds: await readJobIds(channel, job) };
  const isSmall = groups !== undefined && requestId === undefined && !groups.includes('default');
  if (!isSmall) return { query };
  const some = [columnsOfGroups(groups), fewJobsMax + 1];
  const jobIds = await channel.rows(only(integer), selectJobsOfGroups, some);
  if (jobIds.length > fewJobsMax) return { query };
  const { groups: _, ...others } = query;
  return { query: others, jobIds };
}

/** So many looks into the index of each job's history cost less than one among all jobs. */
const fewJobsMax = 20;
const selectJobsOfGroups = `/* pageOfRuns jobs */ SELECT STRAIGHT_JOIN job.job_id
  FROM target JOIN job FORCE INDEX (job_by_target) ON job.target_id = target.target_id
  WHERE target.job_group IN (?) LIMIT ?`;

async function jobIdsOf(channel: Channel, { job }: { readonly job?: string }) {
  return job === undefined ? undefined : readJobIds(channel, job);
}

/** The jobs that have the name, or had it before they were removed. */
export function readJobIds(database: Queryable, name: string): Promise<number[]> {
  return database.rows(only(integer), selectJobIds, [name]);
}

/** The first so many rows in their order from where the page begins, by an index alone. */
function windowOf(query: RunPageQuery, rowsMax: number, jobIds?: readonly number[]) {
  const windows = (jobIds ?? [undefined]).map((jobId) => windowOfJob(query, jobId));
  const [first, ...others] = windows;
  if (first !== undefined && others.length === 0) return first;
  // Each by itself: a server would read and sort the whole history of all of them.
  const ofEach = windows.map(({ sql }) => `(${sql} LIMIT ?)`).join(' UNION ALL ');
  return {
    sql: `/* windows */ SELECT run_id, ended_at FROM (${ofEach}) AS runs
      ORDER BY ended_at DESC, run_id DESC`,
    parameters: windows.flatMap(({ parameters }) => [...parameters, rowsMax]),
  };
}

function windowOfJob({ after, requestId, sinceMs, untilMs }: RunPageQuery, jobId?: number) {
  const conditions = new Conditions();
  conditions.need('job_id = ?', jobId);
  conditions.need('request_id = ?', requestId);
  conditions.need('ended_at >= ?', sinceMs === undefined ? undefined : new Date(sinceMs));
  conditions.need('ended_at < ?', untilMs === undefined ? undefined : new Date(untilMs));
  needBefore(conditions, '', after);
  const sql = `/* window */ SELECT run_id, ended_at FROM run ${conditions.where}
      ORDER BY ended_at DESC, run_id DESC`;
  return { sql, parameters: conditions.parameters };
}

/** That a run comes after the last one of the page before, in the order of the history. */
function needBefore(conditions: Conditions, table: '' | 'run.', last?: RunPlace | null): void {
  if (!last) return;
  const endedAt = new Date(last.endedMs);
  const isBefore = `${table}ended_at < ? OR ${table}run_id < ?`;
  conditions.need(`${table}ended_at <= ? AND (${isBefore})`, endedAt, endedAt, last.runId);
}

function conditionsOf({ groups, results, node, isFinal }: RunConditions, ...others: string[]) {
  const conditions = new Conditions(...others);
  conditions.need("IFNULL(target.job_group, '') IN (?)", groups && columnsOfGroups(groups));
  conditions.need('run.result IN (?)', results);
  conditions.need('session.node_name = ?', node);
  conditions.need('run.is_final = ?', isFinal);
  return conditions;
}

/** The columns of the rows of a window, which is read first. */
function scannedColumns(window: string): string {
  return runColumns.replace(
    'FROM run',
    () => `FROM (${window}) AS scanned
    JOIN run ON run.run_id = scanned.run_id`,
  );
}

const runPlace = rowOf({ endedMs: instantMs, runId: integer });
const selectJobIds = '/* readJobIds */ SELECT job_id FROM job WHERE name = ?';
