import { type Answer, type CallInput, callApi } from '../../api/callApi.ts';

export type ListedJob = Answer<'GET /jobs'>['items'][number];
export type JobQuery = NonNullable<CallInput<'GET /jobs'>['query']>;

interface Page {
  /** Where it begins: `next` of the page before. */
  readonly after: string | null;
  readonly items: readonly ListedJob[];
  readonly next: string | null;
}

/** What has been read of a list that may be far longer. */
export interface JobPages {
  readonly pages: readonly Page[];
  readonly jobs: readonly ListedJob[];
  /** Whether these are all. */
  readonly isWhole: boolean;
}

const pageSize = 100;
/** So many rows are read beyond those that can be seen; when half of them are left, more is. */
const aheadRows = 60;

/**
 * Reads the pages that can be seen anew. What is above is left as it is, so that nothing moves;
 * what is below is forgotten when it no longer fits.
 * @param view the rows that can be seen
 */
export async function readJobPages(
  query: JobQuery,
  before: JobPages | null,
  view: { readonly first: number; readonly end: number },
  signal: AbortSignal,
): Promise<JobPages> {
  const old = before?.pages ?? [];
  const kept: Page[] = [];
  let rows = 0;
  for (const page of old) {
    if (rows + page.items.length > view.first) break;
    kept.push(page);
    rows += page.items.length;
  }
  let after = kept.at(-1)?.next ?? null;
  for (let isFirst = kept.length === 0; isFirst || after !== null; isFirst = false) {
    if (rows >= view.end) break;
    const page = asBefore(await readPage(query, after, signal), old[kept.length]);
    kept.push(page);
    rows += page.items.length;
    after = page.next;
  }
  const rest = old.slice(kept.length);
  const isFitting = rest[0]?.after === after && after !== null;
  return joinPages(isFitting ? [...kept, ...rest] : kept);
}

/** Reads what follows, up to some rows beyond those that can be seen. */
export function readMore(
  query: JobQuery,
  before: JobPages,
  { end }: { readonly end: number },
  signal: AbortSignal,
): Promise<JobPages> {
  const view = { first: before.jobs.length, end: end + aheadRows };
  return readJobPages(query, before, view, signal);
}

/** Whether the reader has come so near the end that more is wanted. */
export function wantsMore({ jobs, isWhole }: JobPages, end: number): boolean {
  return !isWhole && end + aheadRows / 2 > jobs.length;
}

async function readPage(query: JobQuery, after: string | null, signal: AbortSignal): Promise<Page> {
  const page = await callApi('GET /jobs', {
    query: { ...query, limit: `${pageSize}`, after: after ?? undefined },
    signal,
  });
  return { after, items: page.items, next: page.next };
}

/** A job that has not changed is the same object as before: its row is not drawn anew. */
function asBefore(page: Page, before: Page | undefined): Page {
  const known = new Map(before?.items.map((item) => [item.job, item]));
  const items = page.items.map((item) => {
    const old = known.get(item.job);
    return old !== undefined && JSON.stringify(old) === JSON.stringify(item) ? old : item;
  });
  return { ...page, items };
}

function joinPages(pages: readonly Page[]): JobPages {
  return {
    pages,
    jobs: pages.flatMap(({ items }) => items),
    isWhole: pages.at(-1)?.next === null,
  };
}
