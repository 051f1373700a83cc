import { firstTicksUntil } from '../../domain/run/tickSource.ts';
import { ticksOfRevision } from '../../domain/schedule/read/revisionTicks.ts';
import type { Channel } from '../connection/channel.ts';
import type { JobListed } from '../jobs/listedJob.ts';
import { pageOfJobs } from '../jobs/pageOfJobs.ts';
import type { JobPageQuery } from '../jobs/selectPage.ts';
import {
  readBinsOf,
  readExecuting,
  readRevisionsOf,
  readRunsOf,
  type TimelineBin,
  type TimelineRange,
  type TimelineRevision,
  type TimelineRun,
} from './timelineRows.ts';

export interface TimelineQuery extends TimelineRange {
  /** Which jobs: one page. */
  readonly jobs: JobPageQuery;
  /** How many parts the range has for jobs with more rows than are shown one by one. */
  readonly bins: number;
}

export interface TimelineJob {
  readonly job: JobListed;
  readonly runs: readonly TimelineRun[];
  /** Null: all of its rows are among `runs`. */
  readonly bins: readonly TimelineBin[] | null;
  /** Rows that ended before that were not read; null: all were. */
  readonly readFromMs: number | null;
  readonly nextMs: readonly number[];
  /** How many more ticks there are in the range than are in `nextMs`. */
  readonly nextMore: number;
  readonly revisions: readonly TimelineRevision[];
}

export interface Timeline {
  readonly nowMs: number;
  readonly jobs: readonly TimelineJob[];
  readonly next: string | null;
}

/**
 * What happened and will happen to a page of jobs in a range of time. What it reads is bounded: a
 * job with more rows than its share is shown in bins, and of its rows the last are read.
 */
export async function readTimeline(channel: Channel, query: TimelineQuery): Promise<Timeline> {
  const { bins, fromMs, untilMs } = query;
  const range = { fromMs, untilMs };
  const { jobs, next } = await pageOfJobs(channel, query.jobs);
  const nowMs = await channel.readNow();
  if (jobs.length === 0) return { nowMs, jobs: [], next };
  const jobIds = jobs.map(({ jobId }) => jobId);
  const rowsMax = Math.floor(shownMax / jobs.length);
  const runsOf = byJob(await readRunsOf(channel, jobIds, range, rowsMax));
  const executingOf = byJob(await readExecuting(channel, jobIds));
  const busy = jobIds.filter((jobId) => endedIn(runsOf(jobId), range) > rowsMax);
  const binRowsMax = Math.floor(binnedMax / Math.max(1, busy.length));
  const binsOf = byJob(await readBinsOf(channel, busy, range, { bins, rowsMax: binRowsMax }));
  const revisionsOf = byJob(await readRevisionsOf(channel, jobIds, range));
  const shown = jobs.map((job): TimelineJob => {
    const { jobId } = job;
    const executing = executingOf(jobId).filter(({ startedMs }) => (startedMs ?? nowMs) < untilMs);
    const known = { job, revisions: revisionsOf(jobId), ...nextOf(job, nowMs, range) };
    if (!busy.includes(jobId)) {
      const runs = [...runsOf(jobId), ...executing];
      return { ...known, runs, bins: null, readFromMs: null };
    }
    const parts = binsOf(jobId);
    const rows = parts.reduce((sum, part) => sum + part.rows, 0);
    const firstMs = Math.min(...parts.map(({ firstEndedMs }) => firstEndedMs));
    const readFromMs = rows < binRowsMax ? null : firstMs;
    return { ...known, runs: executing, bins: parts, readFromMs };
  });
  return { nowMs, jobs: shown, next };
}

/** Rows that are shown one by one, over all jobs of a page. */
const shownMax = 2_000;
/** Rows that are read for bins. */
const binnedMax = 10_000;

function endedIn(runs: readonly TimelineRun[], { untilMs }: TimelineRange): number {
  return runs.filter(({ endedMs }) => endedMs !== null && endedMs < untilMs).length;
}

function nextOf(job: JobListed, nowMs: number, { fromMs, untilMs }: TimelineRange) {
  const afterMs = Math.max(nowMs, fromMs - 1);
  if (job.isPaused || afterMs >= untilMs) return { nextMs: [], nextMore: 0 };
  const ticks = ticksOfRevision(job.definition, job.inForceFromMs);
  const nextMs = firstTicksUntil(ticks, afterMs, { untilMs: untilMs - 1, ticksMax: nextMax });
  const lastMs = nextMs.at(-1);
  const isCut = lastMs !== undefined && nextMs.length === nextMax;
  return { nextMs, nextMore: isCut ? ticks.count(lastMs + 1, untilMs - 1) : 0 };
}

const nextMax = 60;

function byJob<Row extends { readonly jobId: number }>(rows: readonly Row[]) {
  const found = new Map<number, Row[]>();
  for (const row of rows) {
    const own = found.get(row.jobId);
    if (own === undefined) found.set(row.jobId, [row]);
    else own.push(row);
  }
  return (jobId: number): readonly Row[] => found.get(jobId) ?? [];
}
