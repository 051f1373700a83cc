import { type Calendar, firstDay, monthMask, searchYearsMax } from './calendar.ts';
import {
  type DayTable,
  daySize,
  hasSecond,
  makeDayTable,
  type SecondKind,
  secondAtOrAfter,
  secondAtOrBefore,
  secondKinds,
  secondsBefore,
} from './dayTable.ts';
import { type DayTerm, isWholeDay } from './dayTerm.ts';

/** Day numbers, both included. */
export interface DayRange {
  readonly from: number;
  readonly until: number;
}

/** Times that are none: the excluded days are no days, the excluded times of others no times. */
export interface Excluded {
  readonly days: readonly DayRange[];
  readonly terms: readonly DayTerm[];
}

/** What a month has, whichever its year: two of one shape have the same. */
interface Shape {
  /** The days that may have a time, as bits. */
  readonly days: number;
  /** Which days each term has. */
  readonly named: readonly number[];
  readonly excluded: readonly number[];
  /** Of each day that was asked for; null where it is empty. */
  readonly tables: (DayTable | null | undefined)[];
}

interface Month {
  readonly first: number;
  /** The shape's less the excluded ranges. */
  readonly days: number;
  readonly shape: Shape;
}

const daySeconds = 86_400;

/**
 * The wall times that any of several terms names and none of the excluded ones does, in seconds
 * since 1970 and no zone. Nothing is walked second by second: a day is a table of minutes, days
 * with the same terms share one, and there are at most 2,767 kinds of days in any calendar without
 * years. So a search through 50 years in which every time is excluded ends, too.
 */
export class WallSet {
  readonly #named: readonly DayTerm[];
  readonly #excluded: readonly DayTerm[];
  readonly #wholeDays: readonly Calendar[];
  readonly #dayRanges: readonly DayRange[];
  readonly #kinds: readonly SecondKind[];
  readonly #hasYears: boolean;
  readonly #shapes = new Map<number, Shape>();
  readonly #tables = new Map<string, DayTable | null>();
  #latest: { readonly year: number; readonly month: number; readonly found: Month } | null = null;
  #latestDay: { readonly day: number; readonly table: DayTable | null } | null = null;

  constructor(named: readonly DayTerm[], { days, terms }: Excluded) {
    this.#named = named;
    this.#excluded = terms.filter((term) => !isWholeDay(term));
    this.#wholeDays = terms.filter(isWholeDay).map(({ calendar }) => calendar);
    this.#dayRanges = days;
    this.#kinds = secondKinds(named, this.#excluded);
    this.#hasYears = [...named, ...terms].some(({ calendar }) => calendar.years !== null);
  }

  /** The first time at or after `wall`, or null when there is none within 50 years, or `until`. */
  atOrAfter(wall: number, until = Number.POSITIVE_INFINITY): number | null {
    const today = Math.floor(wall / daySeconds);
    const date = new Date(today * daySeconds * 1000);
    let [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + 1];
    const lastYear = this.#lastYear(year);
    for (; year <= lastYear; [year, month] = month === 12 ? [year + 1, 1] : [year, month + 1]) {
      const found = this.#month(year, month);
      if (found.first * daySeconds > until) return null;
      const passed = Math.max(0, today - found.first);
      for (let days = found.days & (-1 << passed); days !== 0; days &= days - 1) {
        const day = found.first + 31 - Math.clz32(days & -days);
        const table = this.#table(found, day);
        const ofDay = day === today ? wall - today * daySeconds : 0;
        const second = table === null ? -1 : secondAtOrAfter(table, ofDay);
        if (second >= 0) return day * daySeconds + second;
      }
    }
    return null;
  }

  /** The last time at or before `wall`, or null when there is none within 50 years, or `from`. */
  atOrBefore(wall: number, from = Number.NEGATIVE_INFINITY): number | null {
    const today = Math.floor(wall / daySeconds);
    const date = new Date(today * daySeconds * 1000);
    let [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + 1];
    const firstYear = Math.max(1969, year - searchYearsMax);
    for (; year >= firstYear; [year, month] = month === 1 ? [year - 1, 12] : [year, month - 1]) {
      const found = this.#month(year, month);
      if ((found.first + 31) * daySeconds < from) return null;
      const last = Math.min(30, today - found.first);
      let days = found.days & (0x7fff_ffff >>> (30 - last));
      while (days !== 0) {
        const bit = 31 - Math.clz32(days);
        const day = found.first + bit;
        const table = this.#table(found, day);
        const ofDay = day === today ? wall - today * daySeconds : daySeconds - 1;
        const second = table === null ? -1 : secondAtOrBefore(table, ofDay);
        if (second >= 0) return day * daySeconds + second;
        days &= ~(1 << bit);
      }
    }
    return null;
  }

  /** How many times lie in [from, until): a table's number for each day, both ends by table. */
  count(from: number, until: number): number {
    if (until <= from) return 0;
    const [fromDay, untilDay] = [Math.floor(from / daySeconds), Math.floor(until / daySeconds)];
    let count = 0;
    const date = new Date(fromDay * daySeconds * 1000);
    let [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + 1];
    for (;;) {
      const found = this.#month(year, month);
      if (found.first > untilDay) return count;
      for (let days = found.days; days !== 0; days &= days - 1) {
        const day = found.first + 31 - Math.clz32(days & -days);
        if (day < fromDay || day > untilDay) continue;
        const table = this.#table(found, day);
        if (table === null) continue;
        count += day === untilDay ? secondsBefore(table, until - day * daySeconds) : daySize(table);
        if (day === fromDay) count -= secondsBefore(table, from - day * daySeconds);
      }
      [year, month] = month === 12 ? [year + 1, 1] : [year, month + 1];
    }
  }

  /** Whether it has a time. */
  has(wall: number): boolean {
    const day = Math.floor(wall / daySeconds);
    if (this.#latestDay?.day !== day) this.#latestDay = { day, table: this.#tableOf(day) };
    const { table } = this.#latestDay;
    const ofDay = wall - day * daySeconds;
    return table !== null && hasSecond(table, ofDay);
  }

  /** Where a search from a year on ends. */
  #lastYear(year: number): number {
    let last = 0;
    for (const { calendar } of this.#named) {
      last = Math.max(last, calendar.years?.at(-1) ?? year + searchYearsMax);
    }
    return last;
  }

  #month(year: number, month: number): Month {
    if (this.#latest?.year === year && this.#latest.month === month) return this.#latest.found;
    const first = firstDay(year, month);
    const length = firstDay(year, month + 1) - first;
    // 1970-01-01 was a Thursday. With years every month is its own.
    const weekday = (((first + 4) % 7) + 7) % 7;
    const key = this.#hasYears ? year * 12 + month : (month * 4 + length - 28) * 7 + weekday;
    let shape = this.#shapes.get(key);
    if (shape === undefined) {
      shape = this.#readShape(year, month);
      if (this.#shapes.size >= shapesMax) this.#shapes.clear();
      this.#shapes.set(key, shape);
    }
    const { days } = shape;
    const found = { first, days: days && days & ~daysIn(this.#dayRanges, first), shape };
    this.#latest = { year, month, found };
    return found;
  }

  #readShape(year: number, month: number): Shape {
    const named = this.#named.map(({ calendar }) => monthMask(calendar, year, month));
    let days = 0;
    for (const mask of named) days |= mask;
    for (const calendar of days === 0 ? [] : this.#wholeDays) {
      days &= ~monthMask(calendar, year, month);
    }
    const excluded = (days === 0 ? [] : this.#excluded).map(({ calendar }) =>
      monthMask(calendar, year, month),
    );
    return { days, named, excluded, tables: [] };
  }

  #tableOf(day: number): DayTable | null {
    const date = new Date(day * daySeconds * 1000);
    const found = this.#month(date.getUTCFullYear(), date.getUTCMonth() + 1);
    return ((found.days >>> (day - found.first)) & 1) === 0 ? null : this.#table(found, day);
  }

  /** The table of one of a month's days; null when it is empty. */
  #table({ first, shape }: Month, day: number): DayTable | null {
    const bit = day - first;
    const known = shape.tables[bit];
    if (known !== undefined) return known;
    const named = placesWith(shape.named, bit);
    const excluded = placesWith(shape.excluded, bit);
    const key = `${named.join()} ${excluded.join()}`;
    let table = this.#tables.get(key);
    if (table === undefined) {
      const terms = { named: this.#named, excluded: this.#excluded };
      const made = makeDayTable(this.#kinds, terms, { named, excluded });
      table = daySize(made) === 0 ? null : made;
      if (this.#tables.size >= tablesMax) this.#tables.clear();
      this.#tables.set(key, table);
    }
    shape.tables[bit] = table;
    return table;
  }
}

/** Kept of a set. Most have one to three tables; without years there are 91 shapes of months. */
const tablesMax = 3_000;
const shapesMax = 128;

/** The places of the masks that have a bit. */
function placesWith(masks: readonly number[], bit: number): number[] {
  const places: number[] = [];
  for (let place = 0; place < masks.length; place += 1) {
    if ((((masks[place] as number) >>> bit) & 1) === 1) places.push(place);
  }
  return places;
}

/** The days of a month that lie in any of the ranges, as bits. */
function daysIn(ranges: readonly DayRange[], first: number): number {
  let days = 0;
  for (const { from, until } of ranges) {
    if (until < first || from > first + 30) continue;
    const low = Math.max(0, from - first);
    const high = Math.min(30, until - first);
    days |= (0x7fff_ffff >>> (30 - high)) & (-1 << low);
  }
  return days;
}
