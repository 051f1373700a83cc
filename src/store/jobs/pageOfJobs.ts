import type { Channel, Parameter, Row } from '../channel.ts';
import { columnsOfGroups } from '../targeting/columnsOfGroups.ts';
import { type JobListed, listedColumns, listedJob } from './listedJob.ts';

/** Which order a list may have: each is that of an index, forwards or (with `-`) backwards. */
export const jobSorts = ['name', '-name', 'created', '-created'] as const;

export type JobSort = (typeof jobSorts)[number];

/** Conditions on the jobs of a list: those are shown that meet every one that is given. */
export interface JobConditions {
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

export interface JobPageAsked extends JobConditions {
  readonly sort: JobSort;
  /** Where the page before ended: its `next`. */
  readonly after: string | null;
  readonly jobsMax: number;
  /** The definitions of a page together, but for the first one. */
  readonly definitionBytesMax: number;
}

export interface JobPage {
  readonly jobs: readonly JobListed[];
  /** Where the next page goes on; null: there is none. */
  readonly next: string | null;
}

/**
 * One page of the jobs, by an index and never by an offset. A page may have fewer jobs than asked
 * for, even none, though `next` says that it goes on: definitions may have a megabyte each, and
 * conditions that no index serves are tried on a bounded number of jobs for each page.
 */
export async function pageOfJobs(channel: Channel, asked: JobPageAsked): Promise<JobPage> {
  const { rows, endedAt } = await findRows(channel, asked);
  const found = rows.slice(0, asked.jobsMax);
  const fitting = withinBytes(found, asked.definitionBytesMax);
  const large = await readLarge(channel, fitting);
  const jobs = fitting.flatMap((row) => {
    const definition = row.definition ?? large.get(row.job_id);
    return definition === undefined ? [] : listedJob(row, definition);
  });
  const last = fitting.at(-1);
  const isCut = last !== undefined && fitting.length < rows.length;
  return { jobs, next: isCut ? `${last[orders[asked.sort].column]}` : endedAt };
}

/**
 * The jobs of a page, one more than it shall have when there is one, and where the search ended
 * short of the last job. Where the order's index does not serve the conditions, it goes from window
 * to window, since most conditions are met by many jobs, and a look at a few hundred is enough.
 */
async function findRows(
  channel: Channel,
  asked: JobPageAsked,
): Promise<{ readonly rows: readonly Row[]; readonly endedAt: string | null }> {
  const find = async (after: string | null, end: string | null, rowsMax: number) => {
    const { sql, parameters } = selectPage({ ...asked, after }, end, rowsMax);
    return channel.query<Row[]>(sql, parameters);
  };
  const rowsMax = asked.jobsMax + 1;
  const scan = scanOf(asked);
  if (scan === null) return { rows: await find(asked.after, null, rowsMax), endedAt: null };
  const rows: Row[] = [];
  let { after } = asked;
  let size = scan.first;
  for (let left = scan.max; left > 0; size *= windowGrowth) {
    const window = Math.min(size, left);
    const end = await endOfWindow(channel, { ...asked, after }, window);
    rows.push(...(await find(after, end, rowsMax - rows.length)));
    if (end === null || rows.length === rowsMax) return { rows, endedAt: null };
    after = end;
    left -= window;
  }
  return { rows, endedAt: after };
}

const windowGrowth = 4;

/**
 * The statement that reads a page. It follows the order's index and stops when it has found as many
 * as it may, at `end` at the latest. Definitions come with it, but for those that would make it
 * more than a page may have, were all of their size.
 */
export function selectPage(
  asked: JobPageAsked,
  end: string | null = null,
  rowsMax = asked.jobsMax + 1,
): { sql: string; parameters: Parameter[] } {
  const { column, direction, reach } = orders[asked.sort];
  const window = windowOf(asked);
  const conditions = conditionsOf(asked);
  const bound = end === null ? '' : `AND job.${column} ${reach} ?`;
  const sql = `/* pageOfJobs */ SELECT STRAIGHT_JOIN ${listedColumns},
      LENGTH(job_revision.definition) AS bytes,
      IF(LENGTH(job_revision.definition) <= ?, job_revision.definition, NULL) AS definition
    FROM job FORCE INDEX (${window.index})
      LEFT JOIN target ON target.target_id = job.target_id
      JOIN job_revision ON job_revision.job_id = job.job_id
        AND job_revision.revision = job.revision
    WHERE ${window.where} ${bound} ${conditions.where.join(' ')}
    ORDER BY job.${column} ${direction} LIMIT ?`;
  const bytesEach = Math.floor(asked.definitionBytesMax / (asked.jobsMax + 1));
  const ends = end === null ? [] : [end];
  const tried = [...window.parameters, ...ends, ...conditions.parameters];
  return { sql, parameters: [bytesEach, ...tried, rowsMax] };
}

/** The last of so many jobs from where a page begins; null: there are fewer. */
async function endOfWindow(
  channel: Channel,
  asked: JobPageAsked,
  size: number,
): Promise<string | null> {
  const { column, direction } = orders[asked.sort];
  const { index, where, parameters } = windowOf(asked);
  const sql = `/* pageOfJobs end */ SELECT job.${column} FROM job FORCE INDEX (${index})
    WHERE ${where} ORDER BY job.${column} ${direction} LIMIT 1 OFFSET ?`;
  const [end] = await channel.query<Row[]>(sql, [...parameters, size - 1]);
  return end === undefined ? null : `${end[column]}`;
}

/**
 * How many jobs a page looks at, at first and at most: names stand in the index, pauses and groups
 * in short rows, tags have to be read out of definitions. The first look is to be enough for what
 * one job in ten or twenty has, since each takes two statements, and ends when the page is full.
 * Null: each job that it looks at is one of the page.
 */
function scanOf(asked: JobPageAsked): { readonly first: number; readonly max: number } | null {
  if (conditionsOf(asked).where.length === 0) return null;
  const { tags = [], groups, isPaused } = asked;
  if (tags.length > 0) return { first: 1_000, max: 2_000 };
  if (groups !== undefined || isPaused !== undefined) return { first: 2_000, max: 10_000 };
  return { first: 10_000, max: 10_000 };
}

const orders = {
  name: { column: 'name', direction: 'ASC', compare: '>', reach: '<=' },
  '-name': { column: 'name', direction: 'DESC', compare: '<', reach: '>=' },
  created: { column: 'job_id', direction: 'ASC', compare: '>', reach: '<=' },
  '-created': { column: 'job_id', direction: 'DESC', compare: '<', reach: '>=' },
} as const;

/** The jobs in their order from where the page begins, by an index alone. */
function windowOf({ sort, after, prefix, names }: JobPageAsked) {
  const { column, compare } = orders[sort];
  const conditions = ['job.removed_no = 0'];
  const parameters: Parameter[] = [];
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
  // Jobs that are named are found by their names, and sorted, in whichever order they are wanted.
  const index = column === 'name' || names !== undefined ? 'job_by_name' : 'PRIMARY';
  return { index, where: conditions.join(' AND '), parameters };
}

/** The group of a job stands with its target, so that no definition is read for it. */
function conditionsOf({ sort, text, prefix, groups, tags = [], isPaused }: JobPageAsked) {
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
  if (isPaused !== undefined) {
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

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/** The definitions that were too large to be read before it was known which ones fit. */
async function readLarge(channel: Channel, rows: readonly Row[]): Promise<Map<number, string>> {
  const large = rows.filter((row) => row.definition === null);
  if (large.length === 0) return new Map();
  // Written out, since not every server finds rows of two columns by their index.
  const where = large.map(() => '(job_id = ? AND revision = ?)').join(' OR ');
  const keys = large.flatMap((row) => [row.job_id as number, row.revision as number]);
  const sql = `/* pageOfJobs large */ SELECT job_id, definition FROM job_revision WHERE ${where}`;
  const found = await channel.query<Row[]>(sql, keys);
  return new Map(found.map((row) => [row.job_id as number, row.definition as string]));
}

/** The first of them, however long it is, and those after it that fit. */
function withinBytes(rows: readonly Row[], bytesMax: number): readonly Row[] {
  let bytes = 0;
  const end = rows.findIndex((row, index) => {
    bytes += Number(row.bytes);
    return index > 0 && bytes > bytesMax;
  });
  return end === -1 ? rows : rows.slice(0, end);
}
