import { searchYearsMax } from '../calendar.ts';
import { nothingExcluded } from '../combinedInstants.ts';
import type { Schedule, ScheduleFields, ScheduleSet, ScheduleSetFault } from '../schedule.ts';
import { isAnyExcluded, ticksOfSet } from '../setTicks.ts';
import { nextTick } from '../ticks.ts';
import { finishedWarning } from './parseSchedule.ts';
import { readScheduleSet } from './readScheduleSet.ts';

/** A schedule that may be saved, in the zone that it will be computed in. */
interface CheckedSchedule {
  readonly timezone: string;
  /** Messages for the person who saves it. */
  readonly warnings: readonly string[];
}

/** What else of a definition decides when it is due; a whole definition will do. */
interface CheckOptions extends Omit<ScheduleFields, 'name' | 'schedule' | 'timezone'> {
  /** The requested zone, if any. */
  readonly timezone: string | undefined;
  readonly jobName: string;
}

/**
 * Checks a schedule before it is saved, with all that a definition says of it: each part must be
 * readable, and together they must name at least one instant to come, unless it is `@manual`. The
 * zone is the job's own, else the one that the text's `CRON_TZ=` names, else UTC.
 */
export function checkSchedule(
  text: string,
  options: CheckOptions,
  nowMs: number,
): CheckedSchedule | ScheduleSetFault {
  const set = readScheduleSet({ ...options, name: options.jobName, schedule: text }, { nowMs });
  if ('error' in set) return set;
  const { timezone, warnings } = set;
  if (set.schedules.some(({ kind }) => kind === 'manual')) return { timezone, warnings };
  const firstMs = ticksOfSet(set, nowMs).next(nowMs);
  if (firstMs !== null && firstMs - nowMs <= searchMsMax) return { timezone, warnings };
  const finished = [...new Set([...warnings, finishedWarning])];
  return whatNeverComes(set, nowMs) ?? { timezone, warnings: finished };
}

/** Why a set without a time to come is refused; null: its times are past, it is finished. */
function whatNeverComes(set: ScheduleSet, nowMs: number): ScheduleSetFault | null {
  const { schedules, notAfterMs } = set;
  if (schedules.every(({ kind }) => kind === 'at')) {
    const texts = schedules.map(({ canonical }) => canonical).join(' and ');
    const isPast = schedules.every((schedule) => nextTick(schedule, nowMs) === null);
    const error = `${texts} is in the past, so it would never run`;
    if (isPast) return { error, field: 'schedule' };
  }
  const never = `leaves no time within ${searchYearsMax} years`;
  const hasTime = (other: ScheduleSet): boolean => ticksOfSet(other, nowMs).next(nowMs) !== null;
  if (isAnyExcluded(set.excluded) && hasTime({ ...set, excluded: nothingExcluded })) {
    return { error: `every time is excluded: this ${never}`, field: 'exclude' };
  }
  const mayBeOver = notAfterMs <= nowMs || schedules.every(hasYears);
  if (mayBeOver && ticksOfSet(set, 0).lastAtOrBefore(nowMs) !== null) return null;
  const always = { notBeforeMs: Number.NEGATIVE_INFINITY, notAfterMs: Number.POSITIVE_INFINITY };
  const field = notAfterMs < Number.POSITIVE_INFINITY ? 'notAfter' : 'notBefore';
  if (hasTime({ ...set, ...always })) {
    return { error: `the window has no time of the schedule in it: this ${never}`, field };
  }
  return { error: `this ${never}`, field: 'schedule' };
}

function hasYears({ plan }: Schedule): boolean {
  return plan.kind === 'at' || (plan.kind === 'cron' && plan.term.calendar.years !== null);
}

const searchMsMax = searchYearsMax * 366 * 86_400_000;
