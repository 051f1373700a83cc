import { parseSchedule } from './schedule/parseSchedule.ts';
import { isScheduleFault } from './schedule/schedule.ts';
import { nextTick } from './schedule/ticks.ts';

/** A schedule that may be saved, in the zone that it will be computed in. */
export interface CheckedSchedule {
  readonly timezone: string;
  /** What to tell the person who saves it, each a sentence. */
  readonly warnings: readonly string[];
}

/**
 * Checks a schedule before it is saved: it must be readable and name at least one instant to come,
 * unless it is `@manual`. The zone is the job's own, else the one that the text's `CRON_TZ=` names,
 * else UTC.
 */
export function checkSchedule(
  text: string,
  options: { readonly timezone: string | undefined; readonly jobName: string },
  nowMs: number,
): CheckedSchedule | { readonly error: string } {
  const schedule = parseSchedule(text, { ...options, nowMs });
  if (isScheduleFault(schedule)) return { error: schedule.error };
  if (schedule.kind === 'at' && nextTick(schedule, nowMs, nowMs) === null) {
    return { error: `${schedule.canonical} is in the past, so it would never run` };
  }
  return { timezone: schedule.timezone, warnings: schedule.warnings };
}
