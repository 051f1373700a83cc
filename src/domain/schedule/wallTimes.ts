import { type Calendar, countDays, dayAtOrAfter, dayAtOrBefore } from './calendar.ts';
import { type TimeOfDay, timeAtOrAfter, timeAtOrBefore, timesBefore } from './timeOfDay.ts';

/** What a cron expression names, as wall-clock numbers: seconds since 1970, in no zone at all. */
export interface WallTimes {
  readonly time: TimeOfDay;
  readonly calendar: Calendar;
}

const daySeconds = 86_400;

/** The first named wall time at or after `wall`, or null when there is none within 50 years. */
export function wallAtOrAfter({ time, calendar }: WallTimes, wall: number): number | null {
  const today = Math.floor(wall / daySeconds);
  const day = dayAtOrAfter(calendar, today);
  if (day === null) return null;
  if (day > today) return day * daySeconds + time.first;
  const ofDay = timeAtOrAfter(time, wall - today * daySeconds);
  if (ofDay >= 0) return day * daySeconds + ofDay;
  const next = dayAtOrAfter(calendar, today + 1);
  return next === null ? null : next * daySeconds + time.first;
}

/** The last named wall time at or before `wall`, or null. */
export function wallAtOrBefore({ time, calendar }: WallTimes, wall: number): number | null {
  const today = Math.floor(wall / daySeconds);
  const day = dayAtOrBefore(calendar, today);
  if (day === null) return null;
  if (day < today) return day * daySeconds + time.last;
  const ofDay = timeAtOrBefore(time, wall - today * daySeconds);
  if (ofDay >= 0) return day * daySeconds + ofDay;
  const previous = dayAtOrBefore(calendar, today - 1);
  return previous === null ? null : previous * daySeconds + time.last;
}

/** How many named wall times lie in [from, until): whole days by count, both ends by table. */
export function countWalls(walls: WallTimes, from: number, until: number): number {
  if (until <= from) return 0;
  const fromDay = Math.floor(from / daySeconds);
  const untilDay = Math.floor(until / daySeconds);
  const { time, calendar } = walls;
  let count = countDays(calendar, fromDay, untilDay) * time.perDay;
  if (countDays(calendar, fromDay, fromDay + 1) === 1) {
    count -= timesBefore(time, from - fromDay * daySeconds);
  }
  if (countDays(calendar, untilDay, untilDay + 1) === 1) {
    count += timesBefore(time, until - untilDay * daySeconds);
  }
  return count;
}
