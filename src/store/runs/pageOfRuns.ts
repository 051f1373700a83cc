import type { RunPlace } from '../../domain/commit/historyKeep.ts';
import type { RunResult } from '../../domain/run/run.ts';
import type { Channel } from '../connection/channel.ts';
import { Conditions } from '../connection/conditions.ts';
import type { Queryable } from '../connection/queryable.ts';
import { nextWindow, windowMax } from '../rows/mergeParts.ts';
import { integer, only } from '../rows/row.ts';
import { columnsOfGroups } from '../targeting/ensureTarget.ts';
import { type HistoryPart, readPlaces } from './runPlaces.ts';
import { historyRun, type RunShown, runColumns } from './runRow.ts';

/** Conditions on the runs of a list: those are shown that meet every one that is given. */
export interface RunConditions {
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
  const { parts, query } = await partsOf(channel, asked);
  const { runsMax } = query;
  const rows: ReturnType<typeof historyRun>[] = [];
  let { after } = query;
  let size = Math.min(windowMax, runsMax + 1);
  for (let looked = 0; ; ) {
    const places = await readPlaces(channel, parts, { ...query, after }, size);
    rows.push(...(await readRuns(channel, places, query, runsMax + 1 - rows.length)));
    const runs = rows.slice(0, runsMax);
    const last = runs.at(-1);
    if (last !== undefined && runs.length < rows.length) {
      return { runs, next: { endedMs: last.endedMs, runId: last.runId } };
    }
    looked += places.length;
    after = (places.length < size ? null : places.at(-1)) ?? null;
    if (after === null || looked >= Math.max(lookedMax, runsMax)) return { runs, next: after };
    size = nextWindow(runsMax + 1 - rows.length, rows.length / looked);
  }
}

/** So many rows are tried for a page. */
const lookedMax = 5_000;

/**
 * The parts of the history that have the runs, and what is still to be tried on them: jobs that are
 * named, or the few of a group, have a part each, else each of the results has. Few are four for
 * each run of the page: so many looks into the index of each job's history read less than 20 rows
 * for one that is shown.
 */
async function partsOf(
  channel: Channel,
  query: RunPageQuery,
): Promise<{ readonly parts: readonly HistoryPart[]; readonly query: RunPageQuery }> {
  const { groups, job, requestId, results } = query;
  const ofJobs = (jobIds: readonly number[]) =>
    jobIds.map((value): HistoryPart => ({ index: 'run_by_job', value }));
  if (job !== undefined) return { parts: ofJobs(await readJobIds(channel, job)), query };
  if (requestId !== undefined) {
    return { parts: [{ index: 'run_by_request', value: requestId }], query };
  }
  if (groups !== undefined && !groups.includes('default')) {
    const fewJobsMax = Math.min(200, Math.max(20, 4 * query.runsMax));
    const some = [columnsOfGroups(groups), fewJobsMax + 1];
    const jobIds = await channel.rows(only(integer), selectJobsOfGroups, some);
    const { groups: _, ...others } = query;
    if (jobIds.length <= fewJobsMax) return { parts: ofJobs(jobIds), query: others };
  }
  if (results === undefined) return { parts: [{ index: 'run_by_ended' }], query };
  const { results: _, ...others } = query;
  const ofResults = [...new Set(results)];
  return { parts: ofResults.map((value) => ({ index: 'run_by_result', value })), query: others };
}

const selectJobsOfGroups = `/* pageOfRuns jobs */ SELECT STRAIGHT_JOIN job.job_id
  FROM target JOIN job FORCE INDEX (job_by_target) ON job.target_id = target.target_id
  WHERE target.job_group IN (?) LIMIT ?`;

/** Of the runs at these places the first that meet the conditions. */
async function readRuns(
  channel: Channel,
  places: readonly RunPlace[],
  query: RunPageQuery,
  runsMax: number,
) {
  if (places.length === 0) return [];
  const conditions = conditionsOf(query);
  conditions.need(
    'run.run_id IN (?)',
    places.map(({ runId }) => runId),
  );
  const sql = `${selectRuns} ${conditions.where}
    ORDER BY run.ended_at DESC, run.run_id DESC LIMIT ?`;
  return channel.rows(historyRun, sql, [...conditions.parameters, runsMax]);
}

const ofPlaces = runColumns.replace('FROM run', 'FROM run FORCE INDEX (PRIMARY)');
/** Runs first: else a server may begin with the jobs. */
const selectRuns = `/* pageOfRuns */ SELECT STRAIGHT_JOIN ${ofPlaces}`;

/** Of a SELECT with `run`, or with `slot` instead, and `target` and `session`. */
export function conditionsOf(query: RunConditions, ...others: string[]): Conditions {
  const { groups, results, node, isFinal } = query;
  const conditions = new Conditions(...others);
  conditions.need("IFNULL(target.job_group, '') IN (?)", groups && columnsOfGroups(groups));
  conditions.need('run.result IN (?)', results);
  conditions.need('session.node_name = ?', node);
  conditions.need('run.is_final = ?', isFinal);
  return conditions;
}

/** The jobs that have the name, or had it before they were removed. */
export function readJobIds(database: Queryable, name: string): Promise<number[]> {
  return database.rows(only(integer), selectJobIds, [name]);
}

const selectJobIds = '/* readJobIds */ SELECT job_id FROM job WHERE name = ?';
