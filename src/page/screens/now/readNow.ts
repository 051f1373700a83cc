import { type Answer, callApi } from '../../api/callApi.ts';
import { mutedUntil } from '../../jobs/muted.tsx';
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
  /** Jobs whose last run failed, each with that run as far as it is kept. */
  readonly failing: Some<FailingJob>;
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

interface FailingJob extends ListedJob {
  readonly last: Run | undefined;
  readonly mutedUntil: string | null;
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
  const readClusterWithJobs = async () => {
    const query = { endedWithinMs: '600000', limit: '100' };
    const cluster = await callApi('GET /cluster', { query, signal });
    // It counts the jobs that cannot run: mostly there are none to be listed.
    const isAny = cluster.unrunnable.jobs > 0;
    return { cluster, cannotRun: isAny ? await jobs({ state: 'cannot_run' }) : noJobs };
  };
  const [{ cluster, cannotRun }, failing, waiting, paused, running, failed, upcoming] =
    await Promise.all([
      readClusterWithJobs(),
      jobs({ lastResult: failures }),
      jobs({ state: 'waiting' }),
      readPaused(),
      callApi('GET /runs', { query: { running: 'true', limit }, signal }),
      readFailed(signal),
      callApi('GET /upcoming', { query: { within: '1d', limit }, signal }),
    ]);
  const items = await completeFailing(failing.items, failed.items, signal);
  return {
    ...{ cluster, waiting, cannotRun, paused, failed },
    failing: { ...failing, items },
    running: someOf(running),
    next: someOf(upcoming),
  };
}

const noJobs: Some<ListedJob> = { items: [], isWhole: true };

/** Mutes are read only where there is something that they could be of. */
async function completeFailing(
  jobs: readonly ListedJob[],
  failed: readonly FailedJob[],
  signal: AbortSignal,
): Promise<FailingJob[]> {
  if (jobs.length === 0) return [];
  const [lasts, mutes] = await Promise.all([
    readLasts(jobs, failed, signal),
    callApi('GET /notify/mutes', { signal }),
  ]);
  return jobs.map((job, at) => {
    return { ...job, last: lasts[at], mutedUntil: mutedUntil(mutes.items, job) };
  });
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
  const last = await readLastFailure(job, run.endedAt, signal);
  return { ...run, lastLine: last?.runId === runId ? last.lastLine : undefined };
}

/** Most of them have failed in the last day, so that their runs are read already. */
function readLasts(
  jobs: readonly ListedJob[],
  failed: readonly FailedJob[],
  signal: AbortSignal,
): Promise<(Run | undefined)[]> {
  const known = new Map(failed.map(({ last }) => [last.job, last]));
  return Promise.all(
    jobs.map(({ job, lastEndedAt }) => known.get(job) ?? readLastFailure(job, lastEndedAt, signal)),
  );
}

/** The last run of a job that failed, with what it said last. It is read once for each end. */
async function readLastFailure(job: string, endedAt: string | null, signal: AbortSignal) {
  const key = `${endedAt} ${job}`;
  if (!lastFailures.has(key)) {
    const query = { job, result: failures, limit: '1', lastLine: 'true' } as const;
    const { items } = await callApi('GET /runs', { query, signal });
    if (lastFailures.size > failedMax) lastFailures.clear();
    lastFailures.set(key, items[0]);
  }
  return lastFailures.get(key);
}

const lastFailures = new Map<string, Run | undefined>();

/** The last results of those of the jobs that are not removed. */
async function readResults(name: readonly string[], signal: AbortSignal) {
  if (name.length === 0) return new Map<string, ListedJob['lastResult']>();
  const query = { name: [...name], limit: `${name.length}` };
  const { items } = await callApi('GET /jobs', { query, signal });
  return new Map(items.map(({ job, lastResult }) => [job, lastResult]));
}
