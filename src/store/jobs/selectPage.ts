import type { Parameter } from '../connection/queryable.ts';
import { escapeLike } from '../rows/escapeLike.ts';
import { columnsOfGroups } from '../targeting/columnsOfGroups.ts';
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
  /** They belong to one of these namespaces; `default`: to none other. */
  readonly groups?: readonly string[];
  /** They have every one of these tags. */
  readonly tags?: readonly string[];
  readonly isPaused?: boolean;
}

export interface JobPageQuery extends JobConditions {
  readonly sort: JobSort;
  /** Where the page before ended: its `next`. */
  readonly after: string | null;
  readonly jobsMax: number;
  /** The definitions of a page together, but for the first one. */
  readonly definitionBytesMax: number;
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
  query: JobPageQuery,
  end: string | null = null,
  rowsMax = query.jobsMax + 1,
): PageStatement {
  const { column, direction, reach } = orders[query.sort];
  const window = windowOf(query);
  const conditions = conditionsOf(query);
  const bound = end === null ? '' : `AND job.${column} ${reach} ?`;
  const sql = `/* pageOfJobs */ SELECT STRAIGHT_JOIN ${pageColumns}
    FROM job FORCE INDEX (${window.index})
      LEFT JOIN target ON target.target_id = job.target_id
      ${joinRevision}
    WHERE ${window.where} ${bound} ${conditions.where.join(' ')}
    ORDER BY job.${column} ${direction} LIMIT ?`;
  const ends = end === null ? [] : [end];
  const tried = [...window.parameters, ...ends, ...conditions.parameters];
  return { sql, parameters: [bytesEach(query), ...tried, rowsMax] };
}

/**
 * The statement that reads a page of jobs with these targets, which are not none: as many as it
 * needs of each, in their order.
 */
export function selectPageOfTargets(
  query: JobPageQuery,
  targets: readonly number[],
): PageStatement {
  const { column, direction } = orders[query.sort];
  const { where, parameters } = windowOf(query);
  const rowsMax = query.jobsMax + 1;
  const order = `ORDER BY ${column} ${direction} LIMIT ?`;
  const [target] = targets;
  if (targets.length === 1 && target !== undefined) {
    const sql = `/* pageOfJobs of target */ SELECT STRAIGHT_JOIN ${pageColumns}
      FROM job FORCE INDEX (job_by_target)
        ${joinRevision}
      WHERE job.target_id = ? AND ${where} ${order}`;
    return { sql, parameters: [bytesEach(query), target, ...parameters, rowsMax] };
  }
  const ofOne = `(SELECT job.job_id, job.name FROM job FORCE INDEX (job_by_target)
      WHERE job.target_id = ? AND ${where} ${order})`;
  const sql = `/* pageOfJobs of targets */ SELECT STRAIGHT_JOIN ${pageColumns}
    FROM (${targets.map(() => ofOne).join(' UNION ALL ')} ${order}) AS found
      JOIN job ON job.job_id = found.job_id
      ${joinRevision}
    ORDER BY job.${column} ${direction}`;
  const ofEach = targets.flatMap((target) => [target, ...parameters, rowsMax]);
  return { sql, parameters: [bytesEach(query), ...ofEach, rowsMax] };
}

const pageColumns = `${listedColumns},
      LENGTH(job_revision.definition) AS definition_bytes,
      IF(LENGTH(job_revision.definition) <= ?, job_revision.definition, NULL) AS definition`;

const joinRevision = `JOIN job_revision ON job_revision.job_id = job.job_id
        AND job_revision.revision = job.revision`;

const bytesEach = ({ definitionBytesMax, jobsMax }: JobPageQuery): number =>
  Math.floor(definitionBytesMax / (jobsMax + 1));

/** The statement that finds the last of so many jobs from where a page begins, if so many are. */
export function selectEnd(query: JobPageQuery, size: number): PageStatement {
  const { column, direction } = orders[query.sort];
  const { index, where, parameters } = windowOf(query);
  const sql = `/* pageOfJobs end */ SELECT job.job_id, job.name FROM job FORCE INDEX (${index})
    WHERE ${where} ORDER BY job.${column} ${direction} LIMIT 1 OFFSET ?`;
  return { sql, parameters: [...parameters, size - 1] };
}

/** Whether jobs have to be looked at that are not of the page. */
export const hasConditions = (query: JobPageQuery): boolean => conditionsOf(query).where.length > 0;

/** The column that a page goes on by. */
export const columnOfSort = ({ sort }: JobPageQuery): 'name' | 'job_id' => orders[sort].column;

const orders = {
  name: { column: 'name', direction: 'ASC', compare: '>', reach: '<=' },
  '-name': { column: 'name', direction: 'DESC', compare: '<', reach: '>=' },
  created: { column: 'job_id', direction: 'ASC', compare: '>', reach: '<=' },
  '-created': { column: 'job_id', direction: 'DESC', compare: '<', reach: '>=' },
} as const;

/** The jobs in their order from where the page begins, by an index alone. */
function windowOf(query: JobPageQuery) {
  const { sort, after, isPaused, prefix, names } = query;
  const { column, compare } = orders[sort];
  const index = indexOf(query);
  const conditions = ['job.removed_no = 0'];
  const parameters: Parameter[] = [];
  if (isPaused !== undefined && index === 'job_by_pause') {
    conditions.push('job.paused = ?');
    parameters.push(isPaused);
  }
  if (after !== null) {
    conditions.push(`job.${column} ${compare} ?`);
    parameters.push(after);
  }
  if (prefix !== undefined && column === 'name') {
    conditions.push('job.name LIKE ?');
    parameters.push(`${escapeLike(prefix)}%`);
  }
  if (names !== undefined) {
    conditions.push('job.name IN (?)');
    parameters.push(names);
  }
  return { index, where: conditions.join(' AND '), parameters };
}

/** Jobs that are named are found by their names, and sorted, in whichever order they are wanted. */
function indexOf({ groups, isPaused, names, sort }: JobPageQuery) {
  if (names !== undefined) return 'job_by_name';
  if (orders[sort].column !== 'name') return 'PRIMARY';
  return isPaused !== undefined && groups === undefined ? 'job_by_pause' : 'job_by_name';
}

/** The group of a job stands with its target, so that no definition is read for it. */
function conditionsOf(query: JobPageQuery) {
  const { sort, text, prefix, groups, tags = [], isPaused } = query;
  const where: string[] = [];
  const parameters: Parameter[] = [];
  if (text !== undefined) {
    where.push('AND job.name LIKE ?');
    parameters.push(`%${escapeLike(text)}%`);
  }
  if (prefix !== undefined && orders[sort].column !== 'name') {
    where.push('AND job.name LIKE ?');
    parameters.push(`${escapeLike(prefix)}%`);
  }
  if (isPaused !== undefined && indexOf(query) !== 'job_by_pause') {
    where.push('AND job.paused = ?');
    parameters.push(isPaused);
  }
  if (groups !== undefined) {
    where.push("AND IFNULL(target.job_group, '') IN (?)");
    parameters.push(columnsOfGroups(groups));
  }
  for (const tag of tags) {
    where.push("AND JSON_CONTAINS(job_revision.definition, ?, '$.tags')");
    parameters.push(JSON.stringify(tag));
  }
  return { where, parameters };
}
