import { allMonths, type Calendar } from './calendar.ts';
import { isAllSixty, type Sixty, sixtyWhere } from './sixty.ts';
import type { ValueTable } from './timeOfDay.ts';
import type { WallTimes } from './wallTimes.ts';

/** Days, and the times of each of them, as bits: what a set of several schedules is made of. */
export interface DayTerm {
  readonly calendar: Calendar;
  /** Midnight in bit 0. */
  readonly hours: number;
  readonly minutes: Sixty;
  readonly seconds: Sixty;
}

const allHours = 0xff_ffff;

/** The term of cron fields. */
export function dayTermOf({ time, calendar }: WallTimes): DayTerm {
  let hours = 0;
  for (let hour = 0; hour < 24; hour += 1) if (holds(time.hour, hour)) hours |= 1 << hour;
  return {
    calendar,
    hours,
    minutes: sixtyWhere((minute) => holds(time.minute, minute)),
    seconds: sixtyWhere((second) => holds(time.second, second)),
  };
}

/**
 * The term of an `@every` that names the same times each day and is a product of fields, as those
 * of 10s, 5m or 6h are; null for others, e.g. 7s, 90m or 25h.
 * @param phase any of its instants, as wall-clock seconds
 */
export function dayTermOfEvery(everySeconds: number, phase: number): DayTerm | null {
  const second = modulo(phase, 60);
  const minute = modulo(Math.floor(phase / 60), 60);
  const hour = modulo(Math.floor(phase / 3600), 24);
  const term = { calendar: everyDay, hours: allHours, minutes: allSixty };
  if (60 % everySeconds === 0) {
    return { ...term, seconds: sixtyWhere((value) => isEvery(value - second, everySeconds)) };
  }
  const seconds = sixtyWhere((value) => value === second);
  if (3600 % everySeconds === 0 && everySeconds % 60 === 0) {
    const step = everySeconds / 60;
    return { ...term, seconds, minutes: sixtyWhere((value) => isEvery(value - minute, step)) };
  }
  if (86_400 % everySeconds !== 0 || everySeconds % 3600 !== 0) return null;
  const step = everySeconds / 3600;
  let hours = 0;
  for (let value = 0; value < 24; value += 1) if (isEvery(value - hour, step)) hours |= 1 << value;
  return { ...term, hours, minutes: sixtyWhere((value) => value === minute), seconds };
}

/** Whether it is all of a day. */
export function isWholeDay({ hours, minutes, seconds }: DayTerm): boolean {
  return hours === allHours && isAllSixty(minutes) && isAllSixty(seconds);
}

const everyDay: Calendar = { months: allMonths, years: null, days: null };
const allSixty = sixtyWhere(() => true);

/** Every second there is. */
export const everySecond: DayTerm = {
  calendar: everyDay,
  hours: allHours,
  minutes: allSixty,
  seconds: allSixty,
};

function holds(table: ValueTable, value: number): boolean {
  return table.after[value] === value;
}

function isEvery(distance: number, step: number): boolean {
  return modulo(distance, step) === 0;
}

function modulo(value: number, size: number): number {
  return ((value % size) + size) % size;
}
