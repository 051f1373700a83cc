import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import { anyTarget } from '../../domain/targeting/takeable.ts';
import type { Channel } from '../connection/channel.ts';
import { integer, only, rowOf, text } from '../rows/row.ts';
import { columnsOfGroups } from '../targeting/ensureTarget.ts';
import { type JobListed, type JobRow, jobRow } from './listedJob.ts';
import { listRows } from './listRows.ts';
import { resolveQuery } from './resolveQuery.ts';
import { failurePartsOf, placeOf, searchFailed } from './searchFailed.ts';
import {
  columnOfSort,
  hasConditions,
  type JobPageQuery,
  type ResolvedQuery,
  selectEnd,
  selectPage,
  selectPageOfTargets,
} from './selectPage.ts';
import { shownDefinition } from './shownDefinition.ts';

export interface JobPage {
  readonly jobs: readonly JobListed[];
  /** Where the next page goes on; null: there is none. */
  readonly next: string | null;
}

/**
 * One page of the jobs, by an index and never by an offset. A page may have fewer jobs than
 * requested, even none, though `next` says that it goes on: definitions may have a megabyte each,
 * and conditions that no index serves are tried on a bounded number of jobs for each page.
 */
export async function pageOfJobs(channel: Channel, asked: JobPageQuery): Promise<JobPage> {
  const query = await resolveQuery(channel, asked);
  const { rows, endedAt } = await findRows(channel, query);
  const found = rows.slice(0, query.jobsMax);
  const fitting = withinBytes(found, query.definitionBytesMax);
  const large = await readLarge(channel, fitting);
  const defined = fitting.flatMap((row) => {
    const definition = row.definition ?? large.get(row.jobId);
    return definition === undefined ? [] : { ...row, definition };
  });
  const listed = await listRows(channel, defined, query.hasStats === true);
  const last = fitting.at(-1);
  const isCut = last !== undefined && fitting.length < rows.length;
  const jobs = listed.filter((job) => isAsked(job, query));
  return { jobs, next: isCut ? placeOf(last, query) : endedAt };
}

/**
 * Whether a job that the statements have found is what was asked for: its state and its last result
 * are known by what they are shown by, so that a list and its filter cannot disagree.
 */
function isAsked({ last, state }: JobListed, query: JobPageQuery): boolean {
  if (query.state !== undefined && state !== query.state) return false;
  const { lastResults } = query;
  return lastResults === undefined || (last !== null && lastResults.includes(last.result));
}

/** Rows of a page, one more than it shall have when there is one. */
interface Found {
  readonly rows: readonly JobRow[];
  /** Where the search ended short of the last job; null: it came to its end, or to a full page. */
  readonly endedAt: string | null;
}

async function findRows(channel: Channel, query: ResolvedQuery): Promise<Found> {
  if (query.targetIds?.length === 0) return { rows: [], endedAt: null };
  const isByTarget = query.lastResults !== undefined || !hasOtherConditions(query);
  const targets = isByTarget ? await targetsOfPage(channel, query) : null;
  const parts = await failurePartsOf(channel, query, targets);
  if (parts !== null) return searchFailed(channel, query, parts);
  if (targets === null || hasOtherConditions(query)) return searchRows(channel, query);
  const [first, ...others] = targets;
  if (first === undefined) return { rows: [], endedAt: null };
  const { sql, parameters } = selectPageOfTargets(query, [first, ...others]);
  return { rows: await channel.rows(jobRow, sql, parameters), endedAt: null };
}

/** Than the targets of the jobs and their names. */
function hasOtherConditions({ groups: _, targetIds: __, ...others }: ResolvedQuery): boolean {
  return (others.isPaused ?? others.jobIds) !== undefined || hasConditions(others);
}

/** More than this are not read side by side: a group has few, unless each job has its own. */
const targetsMax = 8;

/** The targets that the jobs of a page have, if an index is to find them. Null: they are many. */
async function targetsOfPage(channel: Channel, query: ResolvedQuery) {
  const { groups, targetIds } = query;
  if (columnOfSort(query) !== 'name') return null;
  if (groups === undefined) {
    return targetIds === undefined || targetIds.length > targetsMax ? null : targetIds;
  }
  const some = [columnsOfGroups(groups), targetsMax + 1];
  const targets = await channel.rows(only(integer), selectTargets, some);
  if (targets.length > targetsMax) return null;
  const all = groups.includes('default') ? [anyTarget[0], ...targets] : targets;
  return targetIds === undefined ? all : all.filter((id) => targetIds.includes(id));
}

const selectTargets = `/* targetsOfPage */ SELECT target_id FROM target
  WHERE job_group IN (?) LIMIT ?`;

/**
 * Goes along the order's index: where that does not serve the conditions from window to window,
 * since most conditions are met by many jobs, and a look at a few hundred is enough.
 */
async function searchRows(channel: Channel, query: ResolvedQuery): Promise<Found> {
  const find = async (after: string | null, end: string | null, rowsMax: number) => {
    const { sql, parameters } = selectPage({ ...query, after }, end, rowsMax);
    return channel.rows(jobRow, sql, parameters);
  };
  const rowsMax = query.jobsMax + 1;
  const scan = scanOf(query);
  if (scan === null) return { rows: await find(query.after, null, rowsMax), endedAt: null };
  const rows: JobRow[] = [];
  let { after } = query;
  let size = scan.first;
  for (let left = scan.max; left > 0; size *= windowGrowth) {
    const window = Math.min(size, left);
    const end = await endOfWindow(channel, { ...query, after }, window);
    rows.push(...(await find(after, end, rowsMax - rows.length)));
    if (end === null || rows.length === rowsMax) return { rows, endedAt: null };
    after = end;
    left -= window;
  }
  return { rows, endedAt: after };
}

const windowGrowth = 4;

/** The last of so many jobs from where a page begins; null: there are fewer. */
async function endOfWindow(channel: Channel, query: ResolvedQuery, size: number) {
  const { sql, parameters } = selectEnd(query, size);
  const [end] = await channel.rows(pageEnd, sql, parameters);
  return end === undefined ? null : placeOf(end, query);
}

const pageEnd = rowOf({ jobId: integer, name: text });

/**
 * How many jobs a page looks at, at first and at most: names stand in the index, pauses and groups
 * in short rows, tags have to be read out of definitions. The first look is to be enough for what
 * one job in ten or twenty has, since each takes two statements, and ends when the page is full.
 * Null: each job that it looks at is one of the page.
 */
function scanOf(query: ResolvedQuery): { readonly first: number; readonly max: number } | null {
  if (query.jobIds !== undefined || !hasConditions(query)) return null;
  const { tags = [], groups, isPaused, lastResults, ofSlot, targetIds } = query;
  if (tags.length > 0 || (lastResults ?? ofSlot) !== undefined) return { first: 1_000, max: 2_000 };
  if (targetIds !== undefined) return { first: 500, max: 10_000 };
  if (groups !== undefined || isPaused !== undefined) return { first: 2_000, max: 10_000 };
  return { first: 2_500, max: 2_500 };
}

/** The definitions that were too large to be read before it was known which ones fit. */
async function readLarge(channel: Channel, rows: readonly JobRow[]) {
  const large = rows.filter((row) => row.definition === null);
  if (large.length === 0) return new Map<number, JobDefinition>();
  // Written out, since not every server finds rows of two columns by their index.
  const where = large.map(() => '(job_id = ? AND revision = ?)').join(' OR ');
  const keys = large.flatMap((row) => [row.jobId, row.revision]);
  const sql = `/* pageOfJobs large */ SELECT job_id, definition FROM job_revision WHERE ${where}`;
  const found = await channel.rows(largeDefinition, sql, keys);
  return new Map(found.map(({ jobId, definition }) => [jobId, definition]));
}

const largeDefinition = rowOf({ jobId: integer, definition: shownDefinition });

/** The first of them, however long it is, and those after it that fit. */
function withinBytes(rows: readonly JobRow[], bytesMax: number): readonly JobRow[] {
  let bytes = 0;
  const end = rows.findIndex((row, index) => {
    bytes += row.definitionBytes;
    return index > 0 && bytes > bytesMax;
  });
  return end === -1 ? rows : rows.slice(0, end);
}
