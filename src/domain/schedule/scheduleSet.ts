import type { JobDefinition } from '../job/jobDefinition.ts';
import type { Schedule } from './schedule.ts';
import type { Excluded } from './wallSet.ts';

/** Every field of a definition that decides when it is due. */
export const scheduleFields = [
  ...(['name', 'schedule', 'moreSchedules', 'timezone', 'dialect', 'gap', 'fold'] as const),
  ...(['notBefore', 'notAfter', 'exclude'] as const),
];
export type ScheduleFields = Pick<JobDefinition, (typeof scheduleFields)[number]>;

/** All that decides when a job is due, read and checked. */
export interface ScheduleSet {
  /** Of all of them. */
  readonly timezone: string;
  /** At least one; the job's ticks are those of all of them together, each instant once. */
  readonly schedules: readonly Schedule[];
  readonly excluded: Excluded;
  /** No tick comes before, none after; without a window -Infinity and Infinity. */
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  /** Messages for the person who saves it. */
  readonly warnings: readonly string[];
}

/** Why a definition's ticks cannot be told: `error` names the place, and says what is allowed. */
export interface ScheduleSetFault {
  readonly error: string;
  /** The field of the definition at fault. */
  readonly field: keyof ScheduleFields;
}
