import { firstTicks } from '../../domain/run/tickSource.ts';
import { nextOfRequest } from '../../domain/schedule/read/answerNext.ts';
import { ticksOfRevision } from '../../domain/schedule/read/revisionTicks.ts';
import { type ScheduleFields, scheduleFields } from '../../domain/schedule/schedule.ts';
import { readPlan, workOutPlan } from './planWork.ts';

/** Ticks that a schedule names, strictly after an instant, or at most until one. */
interface TicksRequest {
  readonly schedule: ScheduleFields;
  readonly inForceFromMs: number;
  readonly afterMs: number;
  readonly untilMs?: number;
  readonly ticksMax: number;
}

/**
 * What takes as long as a request wants it to, done in a thread of its own: what goes in and what
 * comes out is plain data, and what is wrong with it is data, too.
 */
export const calculations = {
  readPlan,
  workOutPlan,
  previewTicks: nextOfRequest,
  nextTicks: ({ schedule, inForceFromMs, afterMs, untilMs, ticksMax }: TicksRequest): number[] => {
    const ticks = ticksOfRevision(schedule, inForceFromMs);
    const next = (fromMs: number): number | null => {
      const tickMs = ticks.next(fromMs);
      return tickMs === null || (untilMs !== undefined && tickMs > untilMs) ? null : tickMs;
    };
    return firstTicks({ ...ticks, next }, afterMs, ticksMax);
  },
};

export type Calculations = typeof calculations;

/** What decides when a job is due, of all that a definition may hold. */
export function scheduleOf(definition: ScheduleFields): ScheduleFields {
  const given = scheduleFields.filter((field) => definition[field] !== undefined);
  return Object.fromEntries(given.map((field) => [field, definition[field]])) as ScheduleFields;
}
