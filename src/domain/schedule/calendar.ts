import { createRequire } from 'node:module';
import type * as CronParser from 'cron-parser';

/** The days that a schedule names. */
export interface Calendar {
  /** Months as bits, January in bit 1. */
  readonly months: number;
  /** The years named, rising, or null for every year. */
  readonly years: readonly number[] | null;
  /** Which days of a month match; null for all of them. */
  readonly days: DayShapes | null;
}

export const everyDay: Calendar = { months: 0b1_1111_1111_1110, years: null, days: null };

/**
 * How far a search goes without a year field. 40 years is the longest wait there is: Monday
 * 29 February 2072 to 2112.
 */
export const searchYearsMax = 50;

/**
 * The matching days of a month as bits, day 1 in bit 0.
 * @param index months since year 0
 * @param firstWeekday weekday of its first day, Sunday 0
 */
export function monthMask(
  { months, years, days }: Calendar,
  index: number,
  firstWeekday: number,
): number {
  if ((months & (2 << (index % 12))) === 0) return 0;
  if (years !== null && !years.includes(Math.floor(index / 12))) return 0;
  return days === null ? 0x7fff_ffff >>> (31 - monthLength(index)) : days(index, firstWeekday);
}

export function monthLength(index: number): number {
  const month = index % 12;
  if (month !== 1) return 30 + ((month + 1 + ((month + 1) >>> 3)) & 1);
  const year = Math.floor(index / 12);
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

/** Day numbers (whole days since 1970-01-01, no zone), both included. */
export interface DayRange {
  readonly from: number;
  readonly until: number;
}

/** The days of a month that lie in any of the ranges, as bits. */
export function daysIn(ranges: readonly DayRange[], first: number): number {
  let days = 0;
  for (const { from, until } of ranges) {
    if (until < first || from > first + 30) continue;
    const low = Math.max(0, from - first);
    const high = Math.min(30, until - first);
    days |= (0x7fff_ffff >>> (30 - high)) & (-1 << low);
  }
  return days;
}

/**
 * Days of a month as bits, day 1 in bit 0; by the shape of the month, -1 where not yet computed.
 */
type DayShapes = (index: number, firstWeekday: number) => number;

/** The day items that are more than a number: `L-3`, `LW`, `15W`, `L-2W`; `5L`, `5#3`. */
export type DayForm =
  | { readonly kind: 'last'; readonly before: number; readonly workday: boolean }
  | { readonly kind: 'nearest'; readonly day: number }
  | { readonly kind: 'lastWeekday'; readonly weekday: number }
  | { readonly kind: 'nth'; readonly weekday: number; readonly nth: number };

/** What the two day fields come to: their numbers as an expression, null without any, and forms. */
interface DayRule {
  readonly expression: string | null;
  readonly forms: readonly DayForm[];
}

const shapesByRule = new Map<string, DayShapes>();

/** Rules kept; the day fields of real crontabs are few (`* *`, `* 1-5`, `1 *` …). */
const rulesMax = 1024;

/**
 * Returns which days of a month match. cron-parser decides about lists of numbers, and that two
 * restricted day fields are an OR; the forms are computed here, since it knows only some of them
 * and those not inside of lists.
 *
 * It is queried for each day of a *shape*, in UTC (28–31 days × 7 first weekdays, so 28 at most in
 * a schedule's life), and not walked with `next()`, where its cost and its hazards are: a `next()`
 * took 6–12 µs for minute stars, 23 µs for `0 9 * * 1-5` and 324 µs for `0 0 29 2 *`, and it throws
 * after 10,000 steps. One shape takes about 26 µs, once; a tick then costs 0.1–1 µs.
 */
export function dayShapes(rule: DayRule): DayShapes {
  const key = JSON.stringify(rule);
  const known = shapesByRule.get(key);
  if (known !== undefined) return known;
  const masks = new Int32Array(28).fill(-1);
  const expression =
    rule.expression === null
      ? null
      : cronParser().parse(rule.expression, { tz: 'UTC', currentDate: new Date(0) });
  const shapes: DayShapes = (index, firstWeekday) => {
    const length = monthLength(index);
    const shape = (length - 28) * 7 + firstWeekday;
    const ready = masks[shape] as number;
    if (ready !== -1) return ready;
    let mask = 0;
    const firstMs = Date.UTC(Math.floor(index / 12), index % 12, 1);
    for (let bit = 0; expression !== null && bit < length; bit += 1) {
      if (expression.includesDate(new Date(firstMs + bit * 86_400_000))) mask |= 1 << bit;
    }
    for (const form of rule.forms) {
      const day = dayOfForm(form, length, firstWeekday);
      if (day > 0) mask |= 1 << (day - 1);
    }
    masks[shape] = mask;
    return mask;
  };
  if (shapesByRule.size >= rulesMax) {
    shapesByRule.delete(shapesByRule.keys().next().value as string);
  }
  shapesByRule.set(key, shapes);
  return shapes;
}

/** The library is loaded by the first rule that needs it, as that takes as long as half of Node. */
const require = createRequire(import.meta.url);

function cronParser(): typeof CronParser.CronExpressionParser {
  return (require('cron-parser') as typeof CronParser).CronExpressionParser;
}

/**
 * The day of the month that a form names, or 0 when that month has none: a month without day n has
 * no `nW`, one with four Fridays no `5#5`. `W` is the nearest Monday to Friday in the same month.
 * @param length days of the month, 28–31
 * @param firstWeekday weekday of its first day, Sunday 0
 */
function dayOfForm(form: DayForm, length: number, firstWeekday: number): number {
  switch (form.kind) {
    case 'last': {
      const day = length - form.before;
      if (day < 1) return 0;
      return form.workday ? nearestWorkday(day, length, firstWeekday) : day;
    }
    case 'nearest':
      return form.day > length ? 0 : nearestWorkday(form.day, length, firstWeekday);
    case 'lastWeekday': {
      const first = 1 + ((form.weekday - firstWeekday + 7) % 7);
      return first + 7 * Math.floor((length - first) / 7);
    }
    case 'nth': {
      const day = 1 + ((form.weekday - firstWeekday + 7) % 7) + 7 * (form.nth - 1);
      return day > length ? 0 : day;
    }
  }
}

function nearestWorkday(day: number, length: number, firstWeekday: number): number {
  const weekday = (firstWeekday + day - 1) % 7;
  if (weekday === 6) return day > 1 ? day - 1 : day + 2;
  if (weekday === 0) return day < length ? day + 1 : day - 2;
  return day;
}
