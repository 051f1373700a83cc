import type { JobState } from '../../domain/run/jobState.ts';
import type { RunResult } from '../../domain/run/run.ts';
import { Conditions } from '../connection/conditions.ts';
import type { Parameter } from '../connection/queryable.ts';
import { escapeLike } from '../rows/escapeLike.ts';
import { joinRevision } from '../rows/joinedRevision.ts';
import { columnsOfGroups } from '../targeting/ensureTarget.ts';
import { listedColumns } from './listedJob.ts';

/** Which order a list may have: each is that of an index, forwards or (with `-`) backwards. */
export const jobSorts = ['name', '-name', 'created', '-created'] as const;

type JobSort = (typeof jobSorts)[number];

/** Conditions on the jobs of a list: those are shown that meet every one that is given. */
interface JobConditions {
  /** Their name has this in it. */
  readonly text?: string;
  /** Their name begins with this. */
  readonly prefix?: string;
  /** They have one of these names. */
  readonly names?: readonly string[];
  /** They belong to one of these groups; `default`: to none other. */
  readonly groups?: readonly string[];
  /** They have every one of these tags. */
  readonly tags?: readonly string[];
  readonly isPaused?: boolean;
  /** They are not paused, or the revision in force says why, beginning like this. */
  readonly pausedAs?: string;
  /** The revision in force says why, beginning like this. */
  readonly reasonPrefix?: string;
  /** It says just this. */
  readonly reason?: string;
  readonly state?: JobState;
  /** Their last run ended like one of these. */
  readonly lastResults?: readonly RunResult[];
  /** This node may run them, the ranking by levels left out. */
  readonly node?: string;
}

export interface JobPageQuery extends JobConditions {
  /** With the last rows of the history of each. */
  readonly hasStats?: boolean;
  readonly sort: JobSort;
  /** Where the page before ended: its `next`. */
  readonly after: string | null;
  readonly jobsMax: number;
  /** The definitions of a page together, but for the first one. */
  readonly definitionBytesMax: number;
}

/** A query as the statements have it: what was to be looked up for it is. */
export interface ResolvedQuery extends JobPageQuery {
  /** Only these can be of the page: few. */
  readonly jobIds?: readonly number[];
  /** They have one of these targets. */
  readonly targetIds?: readonly number[];
  /** One of their slots meets this condition of SQL. */
  readonly ofSlot?: string;
}

interface PageStatement {
  readonly sql: string;
  readonly parameters: Parameter[];
}

/**
 * The statement that reads a page. It follows the order's index and stops when it has found as many
 * as it may, at `end` at the latest. Definitions come with it, but for those that would make it
 * more than a page may have, were all of their size.
 */
export function selectPage(
  query: ResolvedQuery,
  end: string | null = null,
  rowsMax = query.jobsMax + 1,
): PageStatement {
  const { column, direction, reach } = orders[query.sort];
  const { index, conditions } = windowOf(query);
  conditions.need(`job.${column} ${reach} ?`, end ?? undefined);
  addConditions(conditions, query);
  const sql = `/* pageOfJobs */ SELECT STRAIGHT_JOIN ${pageColumns}
    FROM job FORCE INDEX (${index})
      LEFT JOIN target ON target.target_id = job.target_id
      ${joinRevision}
    ${conditions.where}
    ORDER BY job.${column} ${direction} LIMIT ?`;
  return { sql, parameters: [bytesEach(query), ...conditions.parameters, rowsMax] };
}

/** The statement that reads a page of jobs with these targets: as many as it needs of each. */
export function selectPageOfTargets(
  query: ResolvedQuery,
  targets: readonly [number, ...number[]],
): PageStatement {
  const { column, direction } = orders[query.sort];
  const rowsMax = query.jobsMax + 1;
  const order = `ORDER BY ${column} ${direction} LIMIT ?`;
  const { conditions } = windowOf(query, 'job.target_id = ?');
  const from = 'FROM job FORCE INDEX (job_by_target)';
  const [target, ...others] = targets;
  const parameters = [target, ...conditions.parameters, rowsMax];
  if (others.length === 0) {
    const sql = `/* pageOfJobs of target */ SELECT STRAIGHT_JOIN ${pageColumns}
      ${from}
        ${joinRevision}
      ${conditions.where} ${order}`;
    return { sql, parameters: [bytesEach(query), ...parameters] };
  }
  const ofOne = `(SELECT job.job_id, job.name ${from}
      ${conditions.where} ${order})`;
  const sql = `/* pageOfJobs of targets */ SELECT STRAIGHT_JOIN ${pageColumns}
    FROM (${targets.map(() => ofOne).join(' UNION ALL ')} ${order}) AS found
      JOIN job ON job.job_id = found.job_id
      ${joinRevision}
    ORDER BY job.${column} ${direction}`;
  const ofEach = targets.flatMap((each) => [each, ...conditions.parameters, rowsMax]);
  return { sql, parameters: [bytesEach(query), ...ofEach, rowsMax] };
}

const pageColumns = `${listedColumns},
      LENGTH(job_revision.definition) AS definition_bytes,
      IF(LENGTH(job_revision.definition) <= ?, job_revision.definition, NULL) AS definition`;

const bytesEach = ({ definitionBytesMax, jobsMax }: JobPageQuery): number =>
  Math.floor(definitionBytesMax / (jobsMax + 1));

/** The statement that finds the last of so many jobs from where a page begins, if so many are. */
export function selectEnd(query: ResolvedQuery, size: number): PageStatement {
  const { column, direction } = orders[query.sort];
  const { index, conditions } = windowOf(query);
  const sql = `/* pageOfJobs end */ SELECT job.job_id, job.name FROM job FORCE INDEX (${index})
    ${conditions.where} ORDER BY job.${column} ${direction} LIMIT 1 OFFSET ?`;
  return { sql, parameters: [...conditions.parameters, size - 1] };
}

/**
 * The statement that finds the first so many jobs of a part that an index has in the page's order,
 * with the part's number.
 * @param ofPart the conditions of the part, whose values come behind its number
 */
export function selectPlaces(
  query: ResolvedQuery,
  index: string,
  ofPart: readonly string[],
): PageStatement {
  const { column, direction } = orders[query.sort];
  const { conditions } = windowOf(query, ...ofPart);
  const sql = `/* jobPlaces */ SELECT ? AS part_no, job.job_id, job.name
    FROM job FORCE INDEX (${index})
    ${conditions.where} ORDER BY job.${column} ${direction} LIMIT ?`;
  return { sql, parameters: conditions.parameters };
}

/** The statement that finds the jobs of a window that meet the conditions, and nothing of them. */
export function selectMatches(query: ResolvedQuery, end: string | null): PageStatement {
  const { column, direction, reach } = orders[query.sort];
  const { index, conditions } = windowOf(query);
  conditions.need(`job.${column} ${reach} ?`, end ?? undefined);
  addConditions(conditions, query);
  const { pausedAs, reason, reasonPrefix, tags = [] } = query;
  const needsRevision = tags.length > 0 || (pausedAs ?? reasonPrefix ?? reason) !== undefined;
  const sql = `/* matchJobs */ SELECT STRAIGHT_JOIN job.job_id, job.name
    FROM job FORCE INDEX (${index})
      LEFT JOIN target ON target.target_id = job.target_id
      ${needsRevision ? joinRevision : ''}
    ${conditions.where} ORDER BY job.${column} ${direction}`;
  return { sql, parameters: conditions.parameters };
}

/** Whether jobs have to be looked at that are not of the page. */
export function hasConditions(query: ResolvedQuery): boolean {
  const conditions = new Conditions();
  addConditions(conditions, query);
  return !conditions.isEmpty;
}

/** The column that a page goes on by. */
export const columnOfSort = ({ sort }: Pick<JobPageQuery, 'sort'>): 'name' | 'job_id' =>
  orders[sort].column;

const orders = {
  name: { column: 'name', direction: 'ASC', compare: '>', reach: '<=' },
  '-name': { column: 'name', direction: 'DESC', compare: '<', reach: '>=' },
  created: { column: 'job_id', direction: 'ASC', compare: '>', reach: '<=' },
  '-created': { column: 'job_id', direction: 'DESC', compare: '<', reach: '>=' },
} as const;

/** The jobs in their order from where the page begins, by an index alone. */
function windowOf(query: ResolvedQuery, ...first: string[]) {
  const { sort, after, isPaused, prefix, names } = query;
  const { column, compare } = orders[sort];
  const index = indexOf(query);
  const conditions = new Conditions(...first, 'job.removed_no = 0');
  if (index === 'job_by_pause') conditions.need('job.paused = ?', isPaused);
  conditions.need(`job.${column} ${compare} ?`, after ?? undefined);
  if (column === 'name') conditions.need('job.name LIKE ?', patternOf('', prefix));
  conditions.need('job.name IN (?)', names);
  conditions.need('job.job_id IN (?)', query.jobIds && [0, ...query.jobIds]);
  return { index, conditions };
}

/** Jobs that are named are found by that, and sorted, in whichever order they are wanted. */
function indexOf({ groups, isPaused, jobIds, names, sort }: ResolvedQuery) {
  if (jobIds !== undefined) return 'PRIMARY';
  if (names !== undefined) return 'job_by_name';
  if (orders[sort].column !== 'name') return 'PRIMARY';
  return isPaused !== undefined && groups === undefined ? 'job_by_pause' : 'job_by_name';
}

/**
 * What the index of the window does not serve. The group of a job stands with its target, so that
 * no definition is read for it.
 */
function addConditions(conditions: Conditions, query: ResolvedQuery): void {
  const { sort, text, prefix, groups, tags = [], isPaused, targetIds, ofSlot } = query;
  conditions.need('job.name LIKE ?', patternOf('%', text));
  if (orders[sort].column !== 'name') conditions.need('job.name LIKE ?', patternOf('', prefix));
  if (indexOf(query) !== 'job_by_pause') conditions.need('job.paused = ?', isPaused);
  conditions.need("IFNULL(target.job_group, '') IN (?)", groups && columnsOfGroups(groups));
  for (const tag of tags) {
    const contains = "JSON_CONTAINS(job_revision.definition, ?, '$.tags')";
    conditions.need(contains, JSON.stringify(tag));
  }
  conditions.need('job_revision.reason LIKE ?', patternOf('', query.reasonPrefix));
  conditions.need('job_revision.reason = ?', query.reason);
  const isOpen = '(job.paused = 0 OR job_revision.reason LIKE ?)';
  conditions.need(isOpen, patternOf('', query.pausedAs));
  conditions.need('job.target_id IN (?)', targetIds);
  if (ofSlot !== undefined) {
    // No EXISTS: servers may read all slots for it first, and not those of the jobs looked at.
    conditions.need(`(SELECT 1 FROM slot WHERE slot.job_id = job.job_id AND ${ofSlot}
      LIMIT 1) IS NOT NULL`);
  }
  // Behind a row that is no run the last run is looked for later.
  const results = query.lastResults && [...query.lastResults, 'skipped', 'missed'];
  const lastResult = `(SELECT run.result FROM run FORCE INDEX (run_by_job)
    WHERE run.job_id = job.job_id
    ORDER BY run.job_id DESC, run.ended_at DESC, run.run_id DESC LIMIT 1)`;
  conditions.need(`${lastResult} IN (?)`, results);
}

/** For a LIKE: what has the text in it behind the beginning, no letter of which is a wildcard. */
function patternOf(beginning: '' | '%', text: string | undefined): string | undefined {
  return text === undefined ? undefined : `${beginning}${escapeLike(text)}%`;
}
