import type { Timeline, TimelineJob, TimelineQuery } from '../../store/timeline/readTimeline.ts';
import type { Upcoming } from '../../store/timeline/readUpcoming.ts';
import type { Answer } from '../contract/apiContract.ts';
import { isoOf, isoOrNull } from './isoOf.ts';

/** What is due next, as the API and `--json` show it. */
export function upcomingView(upcoming: Upcoming): Answer<'GET /upcoming'> {
  const { nowMs, untilMs, overdue, launches, next } = upcoming;
  return {
    ...{ now: isoOf(nowMs), until: isoOf(untilMs), overdue },
    items: launches.map(({ atMs, lastMs, ...launch }) => {
      return { ...launch, at: isoOf(atMs), lastAt: isoOrNull(lastMs) };
    }),
    next: next && [next.dueMs, next.stripe, next.targetId, next.slotId, next.nodeName].join(':'),
  };
}

/** What happened and will happen in a range, as the API shows it. */
export function timelineView(
  { fromMs, untilMs, bins }: TimelineQuery,
  { jobs, next, nowMs }: Timeline,
): Answer<'GET /timeline'> {
  return {
    ...{ from: isoOf(fromMs), until: isoOf(untilMs), now: isoOf(nowMs) },
    binMs: (untilMs - fromMs) / bins,
    ...{ items: jobs.map(jobView), next },
  };
}

function jobView(shown: TimelineJob): Answer<'GET /timeline'>['items'][number] {
  const { job, runs, bins, readFromMs, nextMs, nextMore, revisions } = shown;
  const { group = 'default', timezone } = job.definition;
  return {
    ...{ job: job.name, group, timezone, state: job.state, binned: bins !== null },
    runs: runs.map(({ runId, launchId, result, ticks, ...times }) => {
      const { endedMs, scheduledForMs, scheduledUntilMs, startedMs } = times;
      return {
        ...{ runId, launchId, result, ticks, scheduledFor: isoOf(scheduledForMs) },
        scheduledUntil: isoOrNull(scheduledUntilMs),
        ...{ startedAt: isoOrNull(startedMs), endedAt: isoOrNull(endedMs) },
      };
    }),
    bins: (bins ?? []).map(({ bin, result, ticks }) => ({ bin, result, ticks })),
    ...{ readFrom: isoOrNull(readFromMs), next: nextMs.map(isoOf), nextMore },
    revisions: revisions.map(({ revision, isPaused: paused, atMs }) => {
      return { revision, at: isoOf(atMs), paused };
    }),
  };
}
