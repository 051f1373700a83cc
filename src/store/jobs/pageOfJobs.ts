import type { Channel, Parameter, Row } from '../channel.ts';
import { type JobListed, readListed } from './readListed.ts';

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
  const { keys, endedAt } = await findKeys(channel, asked);
  const found = keys.slice(0, asked.jobsMax);
  const fitting = withinBytes(found, asked.definitionBytesMax);
  const jobs = await readListed(
    channel,
    fitting.map((row) => row.job_id as number),
  );
  const last = fitting.at(-1);
  const isCut = last !== undefined && fitting.length < keys.length;
  return { jobs, next: isCut ? `${last[orders[asked.sort].column]}` : endedAt };
}

/**
 * The keys of a page, one more than it shall have when there is one, and where the search ended
 * short of the last job. Where the order's index does not serve the conditions, it goes from window
 * to window, since most conditions are met by many jobs, and a look at a few hundred is enough.
 */
async function findKeys(
  channel: Channel,
  asked: JobPageAsked,
): Promise<{ readonly keys: readonly Row[]; readonly endedAt: string | null }> {
  const find = async (after: string | null, end: string | null, rowsMax: number) => {
    const { sql, parameters } = jobKeys({ ...asked, after }, end, rowsMax);
    return channel.query<Row[]>(sql, parameters);
  };
  const rowsMax = asked.jobsMax + 1;
  const scanMax = scanMaxOf(asked);
  if (scanMax === null) return { keys: await find(asked.after, null, rowsMax), endedAt: null };
  const keys: Row[] = [];
  let { after } = asked;
  let size = firstWindow;
  for (let left = scanMax; left > 0; size *= windowGrowth) {
    const window = Math.min(size, left);
    const end = await endOfWindow(channel, { ...asked, after }, window);
    keys.push(...(await find(after, end, rowsMax - keys.length)));
    if (end === null || keys.length === rowsMax) return { keys, endedAt: null };
    after = end;
    left -= window;
  }
  return { keys, endedAt: after };
}

const firstWindow = 500;
const windowGrowth = 4;

/**
 * The statement that finds the keys of a page. It follows the order's index and stops when it has
 * found as many as it may, at `end` at the latest.
 */
export function jobKeys(
  asked: JobPageAsked,
  end: string | null = null,
  rowsMax = asked.jobsMax + 1,
): { sql: string; parameters: Parameter[] } {
  const { column, direction, reach } = orders[asked.sort];
  const window = windowOf(asked);
  const conditions = conditionsOf(asked);
  const bound = end === null ? '' : `AND job.${column} ${reach} ?`;
  const sql = `/* pageOfJobs */ SELECT STRAIGHT_JOIN job.job_id, job.name,
      LENGTH(job_revision.definition) AS bytes
    FROM job FORCE INDEX (${window.index})
      LEFT JOIN target ON target.target_id = job.target_id
      JOIN job_revision ON job_revision.job_id = job.job_id
        AND job_revision.revision = job.revision
    WHERE ${window.where} ${bound} ${conditions.where.join(' ')}
    ORDER BY job.${column} ${direction} LIMIT ?`;
  const ends = end === null ? [] : [end];
  return { sql, parameters: [...window.parameters, ...ends, ...conditions.parameters, rowsMax] };
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
 * How many jobs a page looks at: names stand in the index, pauses and groups in short rows, tags
 * have to be read out of definitions. Null: each job that it looks at is one of the page.
 */
function scanMaxOf(asked: JobPageAsked): number | null {
  if (conditionsOf(asked).where.length === 0) return null;
  const { tags = [], groups, isPaused } = asked;
  if (tags.length > 0) return 2_000;
  return groups !== undefined || isPaused !== undefined ? 10_000 : 20_000;
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
    parameters.push(groups.length === 0 ? [noGroup] : groups.map(columnOfGroup));
  }
  for (const tag of tags) {
    where.push("AND JSON_CONTAINS(job_revision.definition, ?, '$.tags')");
    parameters.push(JSON.stringify(tag));
  }
  return { where, parameters };
}

/** Nobody's: names of groups have no control characters. */
const noGroup = '\u0001';

function columnOfGroup(group: string): string {
  return group === 'default' ? '' : group;
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
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
