import { type Answer, callApi } from '../../api/callApi.ts';
import type { Run } from '../../runs/runWords.ts';

type Jobs = Answer<'GET /jobs'>;
type ListedJob = Jobs['items'][number];

/** The first of a list, and whether there are more. */
export interface Some<T> {
  readonly items: readonly T[];
  readonly isWhole: boolean;
}

/** How the cluster is at present. */
export interface NowState {
  readonly cluster: Answer<'GET /cluster'>;
  /** Jobs whose last run failed. */
  readonly failing: Some<ListedJob>;
  /** Jobs with a launch that is due and has not started. */
  readonly waiting: Some<ListedJob>;
  readonly cannotRun: Some<ListedJob>;
  readonly running: Some<Run>;
  /** What runs next, each job once. */
  readonly next: Some<Answer<'GET /upcoming'>['items'][number]>;
  /** What failed in the last day, each job once. */
  readonly failed: Some<FailedJob>;
}

interface FailedJob {
  /** Its last run that failed. */
  readonly last: Run;
  readonly times: number;
}

/** What counts as a failure. */
export const failures = ['failed', 'timed_out', 'lost'];

const shownMax = 12;
/** So many failures are looked through. */
const failedMax = '200';

export async function readNow(signal: AbortSignal): Promise<NowState> {
  const limit = `${shownMax}`;
  const jobs = async (query: object) =>
    someOf(await callApi('GET /jobs', { query: { ...query, limit }, signal }));
  const [cluster, failing, waiting, cannotRun, running, failed, upcoming] = await Promise.all([
    callApi('GET /cluster', { query: { endedWithinMs: '600000', limit: '100' }, signal }),
    jobs({ lastResult: failures }),
    jobs({ state: 'waiting' }),
    jobs({ state: 'cannot_run' }),
    callApi('GET /runs', { query: { running: 'true', limit }, signal }),
    callApi('GET /runs', { query: { result: failures, since: '1d', limit: failedMax }, signal }),
    callApi('GET /upcoming', { query: { within: '1d', limit }, signal }),
  ]);
  return {
    ...{ cluster, failing, waiting, cannotRun },
    running: someOf(running),
    next: someOf(upcoming),
    failed: eachJobOnce(failed),
  };
}

function someOf<T>({ items, next }: { items: readonly T[]; next: string | null }): Some<T> {
  return { items: items.slice(0, shownMax), isWhole: next === null && items.length <= shownMax };
}

/** A job that fails each minute does not drown the others. */
function eachJobOnce({ items, next }: { items: readonly Run[]; next: string | null }) {
  const jobs = new Map<string, FailedJob>();
  for (const run of items) {
    const known = jobs.get(run.job);
    jobs.set(run.job, { last: known?.last ?? run, times: (known?.times ?? 0) + 1 });
  }
  return someOf({ items: [...jobs.values()], next });
}
