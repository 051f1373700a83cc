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
  readonly paused: Some<ListedJob>;
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
  /** The last run of the job went well. */
  readonly isWell: boolean;
  readonly isRemoved: boolean;
}

/** What counts as a failure. */
export const failures = ['failed', 'timed_out', 'lost'];

const shownMax = 12;
/** So many paused jobs are counted. */
const pausedMax = 100;
/** So many failures are looked through. */
const failedMax = 200;

export async function readNow(signal: AbortSignal): Promise<NowState> {
  const limit = `${shownMax}`;
  const jobs = async (query: object) =>
    someOf(await callApi('GET /jobs', { query: { ...query, limit }, signal }));
  const readPaused = async () => {
    const query = { state: 'paused', limit: `${pausedMax}` } as const;
    return someOf(await callApi('GET /jobs', { query, signal }), pausedMax);
  };
  const [cluster, failing, waiting, cannotRun, paused, running, failed, upcoming] =
    await Promise.all([
      callApi('GET /cluster', { query: { endedWithinMs: '600000', limit: '100' }, signal }),
      jobs({ lastResult: failures }),
      jobs({ state: 'waiting' }),
      jobs({ state: 'cannot_run' }),
      readPaused(),
      callApi('GET /runs', { query: { running: 'true', limit }, signal }),
      readFailed(signal),
      callApi('GET /upcoming', { query: { within: '1d', limit }, signal }),
    ]);
  return {
    ...{ cluster, failing, waiting, cannotRun, paused, failed },
    running: someOf(running),
    next: someOf(upcoming),
  };
}

function someOf<T>(
  { items, next }: { items: readonly T[]; next: string | null },
  most = shownMax,
): Some<T> {
  return { items: items.slice(0, most), isWhole: next === null && items.length <= most };
}

/** What failed in the last day: a job that fails each minute does not drown the others. */
async function readFailed(signal: AbortSignal): Promise<Some<FailedJob>> {
  const query = { result: failures, since: '1d', limit: `${failedMax}` };
  const { items, next } = await callApi('GET /runs', { query, signal });
  const jobs = new Map<string, { last: Run; times: number }>();
  for (const run of items) {
    const known = jobs.get(run.job);
    jobs.set(run.job, { last: known?.last ?? run, times: (known?.times ?? 0) + 1 });
  }
  const some = someOf({ items: [...jobs.values()], next });
  const names = some.items.map(({ last }) => last.job);
  const [results, lasts] = await Promise.all([
    readResults(names, signal),
    Promise.all(some.items.map(({ last }) => withLastLine(last, signal))),
  ]);
  return {
    ...some,
    items: some.items.map(({ last, times }, at) => {
      const [isWell, isRemoved] = [results.get(last.job) === 'succeeded', !results.has(last.job)];
      return { last: lasts[at] ?? last, times, isWell, isRemoved };
    }),
  };
}

/** Of runs that are shown; the others of a day are too many to read what they wrote. */
async function withLastLine(run: Run, signal: AbortSignal): Promise<Run> {
  const { job, runId } = run;
  if (!lastLines.has(runId)) {
    const query = { job, result: failures, limit: '1', lastLine: 'true' } as const;
    const { items } = await callApi('GET /runs', { query, signal });
    if (lastLines.size > failedMax) lastLines.clear();
    lastLines.set(runId, items.find((each) => each.runId === runId)?.lastLine);
  }
  return { ...run, lastLine: lastLines.get(runId) };
}

const lastLines = new Map<Run['runId'], string | undefined>();

/** The last results of those of the jobs that are not removed. */
async function readResults(name: readonly string[], signal: AbortSignal) {
  if (name.length === 0) return new Map<string, ListedJob['lastResult']>();
  const query = { name: [...name], limit: `${name.length}` };
  const { items } = await callApi('GET /jobs', { query, signal });
  return new Map(items.map(({ job, lastResult }) => [job, lastResult]));
}
