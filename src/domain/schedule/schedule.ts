import type { JobDefinition } from '../job/jobDefinition.ts';
import type { CombinedInstants } from './combinedInstants.ts';
import type { DayTerm, Excluded } from './wallSet.ts';
import type { ClockChangeRule } from './zone.ts';

/** How weekday numbers are read: `unix` 0–7 with Sunday 0 and 7, `quartz` 1–7 = SUN–SAT. */
export type Dialect = 'unix' | 'quartz';

/** What a schedule computes with. Private to this folder: others use the functions beside it. */
export type Plan =
  | { readonly kind: 'cron'; readonly term: DayTerm; readonly instants: CombinedInstants }
  | { readonly kind: 'every'; readonly everySeconds: number }
  | {
      readonly kind: 'at';
      /** Rising, each once. */
      readonly atSeconds: readonly number[];
      /** Those of them whose wall time does not exist: they stand at the end of its gap. */
      readonly shiftedSeconds: readonly number[];
    }
  | { readonly kind: 'manual' };

/** A schedule that was read and checked. Immutable, so one object may serve any number of jobs. */
export interface Schedule extends ClockChangeRule {
  /** The text as it was given. */
  readonly text: string;
  /**
   * The same schedule in one spelling, without its zone: seconds first, numbers for names and for
   * `H`, Sunday 0, `*` for `?`. Reading it again (dialect `unix`) gives the same schedule.
   */
  readonly canonical: string;
  /** IANA name, or `UTC`. */
  readonly timezone: string;
  readonly kind: Plan['kind'];
  /** Messages for the person who saves it. */
  readonly warnings: readonly string[];
  readonly plan: Plan;
}

/** Why a text is not a schedule. A value, not an exception: people mistype schedules every day. */
export interface ScheduleFault {
  /** One line: the field of the text (`minute`, `TZ=` …), what is wrong, what is allowed. */
  readonly error: string;
  /** The field at fault: `minute`, `day of month`, `timezone`, `prefix` (TZ= in the text) … */
  readonly field?: string;
  /** The part of the text at fault. */
  readonly item?: string;
  /** What the field takes. */
  readonly allowed?: string;
}

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

/** Why a definition has no ticks: `error` names the place, and says what is allowed. */
export interface ScheduleSetFault {
  readonly error: string;
  /** The field of the definition at fault. */
  readonly field: keyof ScheduleFields;
}
