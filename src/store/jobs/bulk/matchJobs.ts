import type { Channel } from '../../connection/channel.ts';
import { integer, rowOf, text } from '../../rows/row.ts';
import { pageOfJobs } from '../pageOfJobs.ts';
import { type JobPageQuery, selectEnd, selectMatches } from '../selectPage.ts';

/** Which jobs a change is about: all that meet every condition that is given. */
export type BulkFilter = Pick<
  JobPageQuery,
  | ('text' | 'prefix' | 'names' | 'groups' | 'tags' | 'isPaused' | 'pausedAs' | 'reasonPrefix')
  | ('state' | 'lastResults' | 'node' | 'reason')
>;

type Match = { readonly jobId: number; readonly name: string };

/**
 * The jobs that meet a filter, the newest first, so that one that is added meanwhile is never among
 * them, and in windows, so that no statement reads more than so many jobs.
 * @param beforeId only jobs that are older than this one
 */
export async function* matchJobs(
  channel: Channel,
  filter: BulkFilter,
  beforeId: number | null,
): AsyncGenerator<readonly Match[]> {
  let after = beforeId === null ? null : `${beforeId}`;
  const { lastResults, node, state } = filter;
  if ((lastResults ?? node ?? state) !== undefined)
    return yield* matchShown(channel, filter, after);
  do {
    const query = { ...filter, ...inOrder, after };
    const { sql, parameters } = selectEnd(query, windowJobs);
    const [end] = await channel.rows(match, sql, parameters);
    const endId = end === undefined ? null : `${end.jobId}`;
    const found = selectMatches(query, endId);
    yield await channel.rows(match, found.sql, found.parameters);
    after = endId;
  } while (after !== null);
}

/** By what a list shows of jobs, and no column of theirs has: found as the list finds them. */
async function* matchShown(
  channel: Channel,
  filter: BulkFilter,
  first: string | null,
): AsyncGenerator<readonly Match[]> {
  let after = first;
  do {
    const page = await pageOfJobs(channel, { ...filter, ...inOrder, ...pageSize, after });
    yield page.jobs.map(({ jobId, name }) => ({ jobId, name }));
    after = page.next;
  } while (after !== null);
}

const pageSize = { jobsMax: 200, definitionBytesMax: 8 * 1024 * 1024 };
const inOrder = { sort: '-created', jobsMax: 0, definitionBytesMax: 0 } as const;
const windowJobs = 5_000;
const match = rowOf({ jobId: integer, name: text });
