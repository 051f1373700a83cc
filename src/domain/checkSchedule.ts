import type { ScheduleFields } from './revisionTicks.ts';
import { parseSchedule } from './schedule/parseSchedule.ts';
import { isScheduleFault } from './schedule/schedule.ts';
import { nextTick } from './schedule/ticks.ts';

/** A schedule that may be saved, in the zone that it will be computed in. */
export interface CheckedSchedule {
  readonly timezone: string;
  /** What to tell the person who saves it, each a sentence. */
  readonly warnings: readonly string[];
}

/** What else of a definition decides when it is due; a whole definition will do. */
export interface CheckOptions extends Omit<ScheduleFields, 'name' | 'schedule' | 'timezone'> {
  /** The zone that was asked for, if any. */
  readonly timezone: string | undefined;
  readonly jobName: string;
}

/** Why it may not be saved: `error` says the field within the text, what is wrong and allowed. */
export interface RefusedSchedule {
  readonly error: string;
  /** The field of the definition at fault. */
  readonly field: keyof ScheduleFields;
}

/**
 * Checks a schedule before it is saved: it must be readable and name at least one instant to come,
 * unless it is `@manual`. The zone is the job's own, else the one that the text's `CRON_TZ=` names,
 * else UTC.
 */
export function checkSchedule(
  text: string,
  options: CheckOptions,
  nowMs: number,
): CheckedSchedule | RefusedSchedule {
  const schedule = parseSchedule(text, { ...options, nowMs });
  if (isScheduleFault(schedule)) {
    return {
      error: schedule.error,
      field: schedule.field === 'timezone' ? 'timezone' : 'schedule',
    };
  }
  if (schedule.kind === 'at' && nextTick(schedule, nowMs, nowMs) === null) {
    const error = `${schedule.canonical} is in the past, so it would never run`;
    return { error, field: 'schedule' };
  }
  return { timezone: schedule.timezone, warnings: schedule.warnings };
}
