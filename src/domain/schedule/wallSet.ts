import {
  type Calendar,
  type DayRange,
  daysIn,
  monthLength,
  monthMask,
  searchYearsMax,
} from './calendar.ts';
import {
  bitCount,
  countBefore,
  type DayTimes,
  firstFrom,
  highestBit,
  lastUntil,
  lowestBit,
} from './dayTimes.ts';
import {
  placesWith,
  type SecondKind,
  secondKinds,
  type TimesOfDay,
  timesOfDay,
  uniteTimes,
} from './uniteTimes.ts';

/** Days, and the times of each of them: cron fields, or what a set of schedules is made of. */
export interface DayTerm extends DayTimes {
  readonly calendar: Calendar;
}

/** Times that are none: the excluded days are no days, the excluded times of others no times. */
export interface Excluded {
  readonly days: readonly DayRange[];
  readonly terms: readonly DayTerm[];
}

/** What a month has, whichever its year: two of one shape have the same. */
interface Shape {
  /** The days on which a term names a time, as bits. */
  readonly days: number;
  /** Which days each term has. */
  readonly named: readonly number[];
  readonly excluded: readonly number[];
  /** The times of each day, by its bit; found on demand. */
  readonly times: (TimesOfDay | undefined)[];
  /** How many times all of its days have; -1: not counted yet. */
  size: number;
}

interface Month {
  /** Months since year 0. */
  readonly index: number;
  /** The number of its first day. */
  readonly first: number;
  readonly length: number;
  /** Its days less the excluded ranges. */
  readonly days: number;
  /** Null of one term without exclusions. */
  readonly shape: Shape | null;
}

const daySeconds = 86_400;

/**
 * The wall times that any of several terms names and none of the excluded ones does, in seconds
 * since 1970 and no zone. Nothing is walked second by second: days with the same terms share their
 * times, and there are at most 2,767 kinds of days in any calendar without years. So a search
 * through 50 years in which every time is excluded ends, too.
 */
export class WallSet {
  readonly #named: readonly DayTerm[];
  readonly #excluded: Excluded;
  readonly #hasYears: boolean;
  /** One term without exclusions: all of its days have the same times. Null: there is more. */
  readonly #only: { readonly calendar: Calendar; readonly times: TimesOfDay } | null;
  #shapes: Map<number, Shape> | null = null;
  #kinds: readonly SecondKind[] | null = null;
  #united: Map<string, TimesOfDay> | null = null;
  #latest: Month | null = null;

  constructor(named: readonly DayTerm[], excluded: Excluded) {
    this.#named = named;
    this.#excluded = excluded;
    this.#hasYears = [...named, ...excluded.terms].some(({ calendar }) => calendar.years !== null);
    const [only = null, more] = [...named, ...excluded.terms];
    const isOnly = only !== null && named.length === 1 && more === undefined;
    this.#only = isOnly ? { calendar: only.calendar, times: timesOfDay(named) } : null;
  }

  /** The first time at or after `wall`, or null when there is none within 50 years, or `until`. */
  atOrAfter(wall: number, until = Number.POSITIVE_INFINITY): number | null {
    const today = Math.floor(wall / daySeconds);
    let month = this.#monthOf(today);
    const end = this.#endOfSearch(month.index, 1);
    while (month.index <= end && month.first * daySeconds <= until) {
      const passed = Math.max(0, today - month.first);
      for (let days = month.days & (-1 << passed); days !== 0; days &= days - 1) {
        const bit = lowestBit(days);
        const midnight = (month.first + bit) * daySeconds;
        if (midnight > until) return null;
        const second = firstFrom(this.#timesOf(month, bit).parts, Math.max(0, wall - midnight));
        if (second >= 0) return midnight + second;
      }
      month = this.#month(month.index + 1, month.first + month.length);
    }
    return null;
  }

  /** The last time at or before `wall`, or null when there is none within 50 years, or `from`. */
  atOrBefore(wall: number, from = Number.NEGATIVE_INFINITY): number | null {
    const today = Math.floor(wall / daySeconds);
    let month = this.#monthOf(today);
    const end = this.#endOfSearch(month.index, -1);
    while (month.index >= end && (month.first + month.length) * daySeconds > from) {
      const last = Math.min(30, today - month.first);
      let days = month.days & (0x7fff_ffff >>> (30 - last));
      while (days !== 0) {
        const bit = highestBit(days);
        const midnight = (month.first + bit) * daySeconds;
        const ofDay = Math.min(daySeconds - 1, wall - midnight);
        const second = lastUntil(this.#timesOf(month, bit).parts, ofDay);
        if (second >= 0) return midnight + second;
        days &= ~(1 << bit);
      }
      month = this.#month(month.index - 1, month.first - monthLength(month.index - 1));
    }
    return null;
  }

  /** How many times lie in [from, until): one number for each whole month, both ends by table. */
  count(from: number, until: number): number {
    if (until <= from) return 0;
    const [fromDay, untilDay] = [Math.floor(from / daySeconds), Math.floor(until / daySeconds)];
    let month = this.#monthOf(fromDay);
    let count = -this.#countOnDay(month, fromDay, from);
    while (month.first + month.length <= untilDay) {
      count += this.#countOn(month, month.days & (-1 << Math.max(0, fromDay - month.first)));
      month = this.#month(month.index + 1, month.first + month.length);
    }
    const days = month.days & ((1 << (untilDay - month.first)) - 1);
    count += this.#countOn(month, days & (-1 << Math.max(0, fromDay - month.first)));
    return count + this.#countOnDay(month, untilDay, until);
  }

  /** Whether it has a time. */
  has(wall: number): boolean {
    return this.atOrAfter(wall, wall) === wall;
  }

  /** How many times a day has before a wall time of it. */
  #countOnDay(month: Month, day: number, wall: number): number {
    const bit = day - month.first;
    if (((month.days >>> bit) & 1) === 0) return 0;
    return countBefore(this.#timesOf(month, bit).parts, wall - day * daySeconds);
  }

  /** How many times some days of a month have, given as bits. */
  #countOn(month: Month, days: number): number {
    const { shape } = month;
    if (shape === null) return bitCount(days) * (this.#only?.times.size ?? 0);
    if (days === shape.days && shape.size >= 0) return shape.size;
    let count = 0;
    for (let rest = days; rest !== 0; rest &= rest - 1) {
      count += this.#timesOf(month, lowestBit(rest)).size;
    }
    if (days === shape.days) shape.size = count;
    return count;
  }

  /** The last month that a search looks at, later (1) or earlier (-1). */
  #endOfSearch(index: number, way: 1 | -1): number {
    let end = way === 1 ? 0 : index;
    for (const { calendar } of this.#named) {
      const year = calendar.years?.at(way === 1 ? -1 : 0);
      const whole = index + way * 12 * searchYearsMax;
      const own = year === undefined ? whole : 12 * year + (way === 1 ? 11 : 0);
      end = way === 1 ? Math.max(end, own) : Math.min(end, own);
    }
    return end;
  }

  #monthOf(day: number): Month {
    const latest = this.#latest;
    if (latest !== null && day >= latest.first && day < latest.first + latest.length) return latest;
    const date = new Date(day * daySeconds * 1000);
    const first = day - date.getUTCDate() + 1;
    this.#latest = this.#month(date.getUTCFullYear() * 12 + date.getUTCMonth(), first);
    return this.#latest;
  }

  #month(index: number, first: number): Month {
    const length = monthLength(index);
    // 1970-01-01 was a Thursday.
    const weekday = (((first + 4) % 7) + 7) % 7;
    const only = this.#only;
    const shape = only === null ? this.#shapeOf(index, length, weekday) : null;
    const all = only === null ? (shape?.days ?? 0) : monthMask(only.calendar, index, weekday);
    const days = all & ~daysIn(this.#excluded.days, first);
    return { index, first, length, days, shape };
  }

  #shapeOf(index: number, length: number, weekday: number): Shape {
    // With years every month is its own.
    const key = this.#hasYears ? index : ((index % 12) * 4 + length - 28) * 7 + weekday;
    this.#shapes ??= new Map();
    const known = this.#shapes.get(key);
    if (known !== undefined) return known;
    const maskOf = ({ calendar }: DayTerm): number => monthMask(calendar, index, weekday);
    const named = this.#named.map(maskOf);
    const days = named.reduce((all, mask) => all | mask, 0);
    const excluded = days === 0 ? [] : this.#excluded.terms.map(maskOf);
    const shape = { days, named, excluded, times: [], size: -1 };
    if (this.#shapes.size >= shapesMax) this.#shapes.clear();
    this.#shapes.set(key, shape);
    return shape;
  }

  /** The times of one of a month's days, given as its bit. */
  #timesOf({ shape }: Month, bit: number): TimesOfDay {
    if (shape === null) return this.#only?.times ?? timesOfDay([]);
    const known = shape.times[bit];
    if (known !== undefined) return known;
    const named = placesWith(shape.named, bit);
    const excluded = placesWith(shape.excluded, bit);
    const key = `${named.join()} ${excluded.join()}`;
    this.#united ??= new Map();
    let times = this.#united.get(key);
    if (times === undefined) {
      const { terms } = this.#excluded;
      this.#kinds ??= secondKinds(this.#named, terms);
      const holding = { places: named, terms: this.#named };
      times = uniteTimes(this.#kinds, holding, { places: excluded, terms });
      if (this.#united.size >= unitedMax) this.#united.clear();
      this.#united.set(key, times);
    }
    shape.times[bit] = times;
    return times;
  }
}

/** Kept of a set. Most have one to three; without years there are 91 shapes of months. */
const unitedMax = 3_000;
const shapesMax = 128;
