import type { JobDefinition } from './jobDefinition.ts';
import { parseSchedule } from './schedule/parseSchedule.ts';
import { countTicks, lastTickAtOrBefore, nextTick } from './schedule/ticks.ts';
import type { TickSource } from './tickSource.ts';

/** Every field of a definition that decides when it is due. */
export type ScheduleFields = Pick<
  JobDefinition,
  | 'name'
  | 'schedule'
  | 'moreSchedules'
  | 'timezone'
  | 'dialect'
  | 'gap'
  | 'fold'
  | 'notBefore'
  | 'notAfter'
  | 'exclude'
>;

/**
 * The ticks of one revision: those that its schedule names from the instant at which it came into
 * force, that instant included. A schedule that this version cannot read names none.
 */
export function ticksOfRevision(definition: ScheduleFields, inForceFromMs: number): TickSource {
  const schedule = parseSchedule(definition.schedule, {
    timezone: definition.timezone,
    jobName: definition.name,
  });
  if ('error' in schedule) return noTicks;
  const lastBeforeMs = inForceFromMs - 1;
  return {
    next: (afterMs) => nextTick(schedule, Math.max(afterMs, lastBeforeMs), inForceFromMs),
    lastAtOrBefore: (atMs) => {
      const tickMs = lastTickAtOrBefore(schedule, atMs, inForceFromMs);
      return tickMs === null || tickMs < inForceFromMs ? null : tickMs;
    },
    count: (fromMs, untilMs) => {
      const boundedFromMs = Math.max(fromMs, inForceFromMs);
      if (untilMs < boundedFromMs) return 0;
      return countTicks(schedule, boundedFromMs, untilMs, ticksMax, inForceFromMs).count;
    },
  };
}

const noTicks: TickSource = { next: () => null, lastAtOrBefore: () => null, count: () => 0 };

/** The column that counts a range's ticks is an unsigned INT. */
const ticksMax = 4_294_967_295;
