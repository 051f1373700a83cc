import type { RunPlace } from '../../domain/commit/historyKeep.ts';
import type { RunResult } from '../../domain/run/run.ts';
import type { Channel } from '../connection/channel.ts';
import type { Parameter, Queryable } from '../connection/queryable.ts';
import { instantMs, integer, only, rowOf } from '../rows/row.ts';
import { columnsOfGroups } from '../targeting/ensureTarget.ts';
import { historyRun, launchColumns, type RunShown, runColumns, runShown } from './runRow.ts';

/** Conditions on the runs of a list: those are shown that meet every one that is given. */
interface RunConditions {
  /** Of the job with this name, removed ones of that name included. */
  readonly job?: string;
  readonly requestId?: string;
  /** Of jobs of these namespaces; `default`: of none other. */
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
export async function pageOfRuns(channel: Channel, query: RunPageQuery): Promise<RunPage> {
  const jobIds = query.job === undefined ? null : await readJobIds(channel, query.job);
  if (jobIds?.length === 0) return { runs: [], next: null };
  const window = windowOf(query, jobIds);
  const conditions = conditionsOf(query);
  const rowsMax = query.runsMax + 1;
  const scanMax = conditions.where.length === 0 ? rowsMax : Math.max(scannedMax, rowsMax);
  const sql = `/* pageOfRuns */ SELECT STRAIGHT_JOIN ${scannedColumns(`${window.sql} LIMIT ?`)}
    WHERE 1 = 1 ${conditions.where.join(' ')}
    ORDER BY run.ended_at DESC, run.run_id DESC LIMIT ?`;
  const parameters = [...window.parameters, scanMax, ...conditions.parameters, rowsMax];
  const rows = await channel.rows(historyRun, sql, parameters);
  const runs = rows.slice(0, query.runsMax);
  const last = runs.at(-1);
  if (last !== undefined && runs.length < rows.length) {
    return { runs, next: { endedMs: last.endedMs, runId: last.runId } };
  }
  if (conditions.where.length === 0) return { runs, next: null };
  const end = `/* pageOfRuns end */ SELECT run_id, ended_at AS ended
    FROM (${window.sql} LIMIT 1 OFFSET ?) AS edge`;
  const [next = null] = await channel.rows(runPlace, end, [...window.parameters, scanMax - 1]);
  return { runs, next };
}

/** The launches that execute now and meet the conditions, the newest first. */
export async function listRunning(
  channel: Channel,
  query: Pick<RunConditions, 'job' | 'groups' | 'node'> & { readonly runsMax: number },
): Promise<RunShown[]> {
  const { job, runsMax, ...others } = query;
  const { where, parameters, need } = conditionsOf(others);
  if (job !== undefined) need('AND job.name = ?', job);
  const sql = `/* listRunning */ SELECT ${launchColumns}
    WHERE slot.state = 'executing' ${where.join(' ')} ORDER BY slot.started_at DESC LIMIT ?`;
  return channel.rows(runShown, sql, [...parameters, runsMax]);
}

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
    const { where, parameters, need } = makeConditions('1 = 1');
    if (jobIds !== null) need('run.job_id IN (?)', jobIds);
    if (filter.sinceMs !== undefined) {
      need('run.ended_at >= NOW(3) - INTERVAL ? MICROSECOND', filter.sinceMs * 1000);
    }
    if (last !== undefined) {
      const endedAt = new Date(last.endedMs);
      const isEarlier = 'run.ended_at <= ? AND (run.ended_at < ? OR run.run_id < ?)';
      need(isEarlier, endedAt, endedAt, last.runId);
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

/** The jobs that have the name, or had it before they were removed. */
export function readJobIds(database: Queryable, name: string): Promise<number[]> {
  return database.rows(only(integer), selectJobIds, [name]);
}

const scannedMax = 5_000;

/** The rows in their order from where the page begins, by an index alone. */
function windowOf({ after, requestId, sinceMs, untilMs }: RunPageQuery, jobIds: number[] | null) {
  const { where, parameters, need } = makeConditions('1 = 1');
  if (jobIds !== null) need('job_id IN (?)', jobIds);
  if (requestId !== undefined) need('request_id = ?', requestId);
  if (sinceMs !== undefined) need('ended_at >= ?', new Date(sinceMs));
  if (untilMs !== undefined) need('ended_at < ?', new Date(untilMs));
  if (after !== null) {
    const endedAt = new Date(after.endedMs);
    need('ended_at <= ? AND (ended_at < ? OR run_id < ?)', endedAt, endedAt, after.runId);
  }
  const sql = `/* window */ SELECT run_id, ended_at FROM run WHERE ${where.join(' AND ')}
      ORDER BY ended_at DESC, run_id DESC`;
  return { sql, parameters };
}

function conditionsOf({ groups, results, node, isFinal }: RunConditions) {
  const conditions = makeConditions();
  const { need } = conditions;
  if (groups !== undefined) {
    need("AND IFNULL(target.job_group, '') IN (?)", columnsOfGroups(groups));
  }
  if (results !== undefined) need('AND run.result IN (?)', results);
  if (node !== undefined) need('AND session.node_name = ?', node);
  if (isFinal !== undefined) need('AND run.is_final = ?', isFinal);
  return conditions;
}

/** Conditions of a WHERE, each with its parameters. */
function makeConditions(...where: string[]) {
  const parameters: Parameter[] = [];
  const need = (condition: string, ...values: Parameter[]): void => {
    where.push(condition);
    parameters.push(...values);
  };
  return { where, parameters, need };
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
