import { isTickOnly } from '../../domain/run/run.ts';
import type { Channel } from '../connection/channel.ts';
import { rowsOfEach, type Select } from '../connection/rowsOfEach.ts';
import { mergeParts, nextWindow, windowMax } from '../rows/mergeParts.ts';
import { integer, only, rowOf, text } from '../rows/row.ts';
import { failureOf } from '../slots/lastFailure.ts';
import { type JobRow, jobRow } from './listedJob.ts';
import {
  columnOfSort,
  type JobPageQuery,
  type ResolvedQuery,
  selectPage,
  selectPlaces,
} from './selectPage.ts';

/** Jobs whose last run ended so (null: the history has to be asked), of one target or of any. */
interface FailurePart {
  readonly failure: string | null;
  readonly targetId: number | null;
}

/**
 * The parts of the jobs that have all whose last runs ended as the query says, some of them others
 * as well; null: no index has them. Ends by nodes of earlier versions were noted by nobody, until
 * the history has been cleaned by another one, which takes less than a day.
 * @param targets the few that the jobs have; null: they may have any
 */
export async function failurePartsOf(
  channel: Channel,
  { lastResults, jobIds, names }: ResolvedQuery,
  targets: readonly number[] | null,
): Promise<readonly FailurePart[] | null> {
  if (lastResults === undefined || (jobIds ?? names) !== undefined) return null;
  if (lastResults.includes('succeeded')) return null;
  const [unaware] = await channel.rows(only(integer), selectUnaware);
  if (unaware !== undefined) return null;
  const results = lastResults.filter((result) => !isTickOnly(result));
  const failures = [null, ...new Set(results.map(failureOf))];
  return (targets ?? [null]).flatMap((targetId) =>
    failures.map((failure) => ({ failure, targetId })),
  );
}

/** Tries the jobs of these parts, in the order of the page, until it is full. */
export async function searchFailed(
  channel: Channel,
  query: ResolvedQuery,
  parts: readonly FailurePart[],
): Promise<{ readonly rows: readonly JobRow[]; readonly endedAt: string | null }> {
  const rowsMax = query.jobsMax + 1;
  const rows: JobRow[] = [];
  let { after } = query;
  let size = Math.min(windowMax, rowsMax);
  for (let looked = 0; ; ) {
    const places = await readPlaces(channel, parts, { ...query, after }, size);
    const last = places.at(-1);
    if (last === undefined) return { rows, endedAt: null };
    const jobIds = places.map(({ jobId }) => jobId);
    const found = selectPage({ ...query, after, jobIds }, null, rowsMax - rows.length);
    rows.push(...(await channel.rows(jobRow, found.sql, found.parameters)));
    if (rows.length === rowsMax || places.length < size) return { rows, endedAt: null };
    looked += places.length;
    after = placeOf(last, query);
    if (looked >= lookedMax) return { rows, endedAt: after };
    size = nextWindow(rowsMax - rows.length, rows.length / looked);
  }
}

/** Where a page that ends with this job goes on. */
export function placeOf(
  { jobId, name }: { readonly jobId: number; readonly name: string },
  query: Pick<JobPageQuery, 'sort'>,
): string {
  return columnOfSort(query) === 'name' ? name : `${jobId}`;
}

/** So many jobs are tried for a page. */
const lookedMax = 2_000;

function readPlaces(
  channel: Channel,
  parts: readonly FailurePart[],
  query: ResolvedQuery,
  placesMax: number,
): Promise<PlaceOfPart[]> {
  const sign = query.sort.startsWith('-') ? -1 : 1;
  const isByName = columnOfSort(query) === 'name';
  return mergeParts<FailurePart, PlaceOfPart>(parts, {
    read: (open, size) => {
      const selects = open.map(({ part, partNo, after }) => {
        const behind = after === null ? query.after : placeOf(after, query);
        return selectOf(part, partNo, { ...query, after: behind }, size);
      });
      return rowsOfEach(channel, placeOfPart, selects);
    },
    compare: (one, other) =>
      sign * (isByName ? compareNames(one.name, other.name) : one.jobId - other.jobId),
    rowsMax: placesMax,
  });
}

function selectOf(
  { failure, targetId }: FailurePart,
  partNo: number,
  query: ResolvedQuery,
  rowsMax: number,
): Select {
  const isByName = columnOfSort(query) === 'name';
  const ofAny = isByName ? 'job_by_failure' : 'job_by_failure_age';
  const index = targetId === null ? ofAny : 'job_by_target_failure';
  const values = [failure, targetId].filter((value) => value !== null);
  const ofPart = [failure === null ? 'job.last_failure IS NULL' : 'job.last_failure = ?'];
  if (targetId !== null) ofPart.push('job.target_id = ?');
  const { sql, parameters } = selectPlaces(query, index, ofPart);
  return [sql, [partNo, ...values, ...parameters, rowsMax]];
}

/** As the database does: by their bytes. */
function compareNames(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

type PlaceOfPart = ReturnType<typeof placeOfPart>;
const placeOfPart = rowOf({ partNo: integer, jobId: integer, name: text });
const selectUnaware = `/* failurePartsOf */ SELECT 1 FROM session FORCE INDEX (session_by_failures)
  WHERE keeps_failures = 0 AND (ended_at IS NULL OR ended_at > NOW(3) - INTERVAL 1 DAY) LIMIT 1`;
