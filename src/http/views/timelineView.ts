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
