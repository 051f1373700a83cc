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
  const { sql, parameters } = jobKeys(asked);
  const keys = await channel.query<Row[]>(sql, parameters);
  const found = keys.slice(0, asked.jobsMax);
  const fitting = withinBytes(found, asked.definitionBytesMax);
  const jobs = await readListed(
    channel,
    fitting.map((row) => row.job_id as number),
  );
  return { jobs, next: await nextOf(channel, asked, keys, fitting) };
}

/**
 * The statement that finds the keys of a page, one more than it shall have. The window bounds what
 * is looked at when there are conditions that the order's index does not serve.
 */
export function jobKeys(asked: JobPageAsked): { sql: string; parameters: Parameter[] } {
  const scanMax = scanMaxOf(asked);
  const window = windowOf(asked);
  const conditions = conditionsOf(asked);
  const { direction, column } = orders[asked.sort];
  const rowsMax = asked.jobsMax + 1;
  const limit = conditions.where.length === 0 ? rowsMax : scanMax;
  const sql = `/* pageOfJobs */ SELECT scanned.job_id, scanned.name,
      LENGTH(job_revision.definition) AS bytes
    FROM (${window.sql} LIMIT ?) AS scanned
      JOIN job_revision ON job_revision.job_id = scanned.job_id
        AND job_revision.revision = scanned.revision
      LEFT JOIN target ON target.target_id = scanned.target_id
    WHERE 1 = 1 ${conditions.where.join(' ')}
    ORDER BY scanned.${column} ${direction} LIMIT ?`;
  return { sql, parameters: [...window.parameters, limit, ...conditions.parameters, rowsMax] };
}

/**
 * How many jobs a page looks at: names stand in the index, pauses and groups in short rows, tags
 * have to be read out of definitions.
 */
function scanMaxOf({ tags = [], groups, isPaused }: JobConditions): number {
  if (tags.length > 0) return 2_000;
  return groups !== undefined || isPaused !== undefined ? 10_000 : 100_000;
}

const orders = {
  name: { column: 'name', direction: 'ASC', compare: '>' },
  '-name': { column: 'name', direction: 'DESC', compare: '<' },
  created: { column: 'job_id', direction: 'ASC', compare: '>' },
  '-created': { column: 'job_id', direction: 'DESC', compare: '<' },
} as const;

/** The jobs in their order from where the page begins, by an index alone. */
function windowOf({ sort, after, prefix, names }: JobPageAsked) {
  const { column, direction, compare } = orders[sort];
  const where = ['removed_no = 0'];
  const parameters: Parameter[] = [];
  if (after !== null) {
    where.push(`${column} ${compare} ?`);
    parameters.push(after);
  }
  if (prefix !== undefined) {
    where.push('name LIKE ?');
    parameters.push(`${escapeLike(prefix)}%`);
  }
  if (names !== undefined) {
    where.push('name IN (?)');
    parameters.push(names);
  }
  const index = column === 'name' ? 'job_by_name' : 'PRIMARY';
  const sql = `SELECT job_id, name, paused, revision, target_id FROM job
      FORCE INDEX (${index}) WHERE ${where.join(' AND ')} ORDER BY ${column} ${direction}`;
  return { sql, parameters };
}

/** The group of a job stands with its target, so that no definition is read for it. */
function conditionsOf({ text, groups, tags = [], isPaused }: JobConditions) {
  const where: string[] = [];
  const parameters: Parameter[] = [];
  if (text !== undefined) {
    where.push('AND scanned.name LIKE ?');
    parameters.push(`%${escapeLike(text)}%`);
  }
  if (isPaused !== undefined) {
    where.push('AND scanned.paused = ?');
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

async function nextOf(
  channel: Channel,
  asked: JobPageAsked,
  keys: readonly Row[],
  shown: readonly Row[],
): Promise<string | null> {
  const { column } = orders[asked.sort];
  const last = shown.at(-1);
  if (last !== undefined && shown.length < keys.length) return `${last[column]}`;
  if (conditionsOf(asked).where.length === 0) return null;
  // Fewer were found than asked for: does the window end before the jobs do?
  const window = windowOf(asked);
  const sql = `/* pageOfJobs end */ SELECT ${column} FROM (${window.sql} LIMIT 1 OFFSET ?) AS last`;
  const [end] = await channel.query<Row[]>(sql, [...window.parameters, scanMaxOf(asked) - 1]);
  return end === undefined ? null : `${end[column]}`;
}
