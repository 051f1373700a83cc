import type { DayShapes } from './dayShapes.ts';

/** The days that a schedule names, as day numbers: whole days since 1970-01-01, no zone. */
export interface Calendar {
  /** Months as bits, January in bit 1. */
  readonly months: number;
  /** The years named, rising, or null for every year. */
  readonly years: readonly number[] | null;
  /** Which days of a month match; null for all of them. */
  readonly days: DayShapes | null;
}

/**
 * How far a search goes without a year field. 40 years is the longest wait there is: Monday
 * 29 February 2072 to 2112.
 */
export const searchYearsMax = 50;

/** The first matching day at or after `day`, or null. At most 600 month lookups, about 20 µs. */
export function dayAtOrAfter(calendar: Calendar, day: number): number | null {
  if (isEveryDay(calendar)) return day;
  const date = new Date(day * 86_400_000);
  let year = date.getUTCFullYear();
  let month = date.getUTCMonth() + 1;
  const here = monthMask(calendar, year, month) & (-1 << (date.getUTCDate() - 1));
  if (here !== 0) return day - date.getUTCDate() + 1 + lowestBit(here);
  const lastYear = calendar.years?.at(-1) ?? year + searchYearsMax;
  while (year <= lastYear) {
    month += 1;
    if (month > 12) {
      month = 1;
      year = yearAtOrAfter(calendar, year + 1);
    }
    const mask = monthMask(calendar, year, month);
    if (mask !== 0) return firstDay(year, month) + lowestBit(mask);
  }
  return null;
}

/** The last matching day at or before `day`, or null. */
export function dayAtOrBefore(calendar: Calendar, day: number): number | null {
  if (isEveryDay(calendar)) return day;
  const date = new Date(day * 86_400_000);
  let year = date.getUTCFullYear();
  let month = date.getUTCMonth() + 1;
  // The shift is of an unsigned word: on the 31st nothing may be cut off.
  const here = monthMask(calendar, year, month) & (0x7fff_ffff >>> (31 - date.getUTCDate()));
  if (here !== 0) return day - date.getUTCDate() + 1 + highestBit(here);
  const firstYear = Math.max(calendar.years?.[0] ?? year - searchYearsMax, 1969);
  while (year >= firstYear) {
    month -= 1;
    if (month < 1) {
      month = 12;
      year = yearAtOrBefore(calendar, year - 1);
    }
    const mask = monthMask(calendar, year, month);
    if (mask !== 0) return firstDay(year, month) + highestBit(mask);
  }
  return null;
}

/** How many matching days lie in [from, until). One lookup a month. */
export function countDays(calendar: Calendar, from: number, until: number): number {
  if (until <= from) return 0;
  if (isEveryDay(calendar)) return until - from;
  let count = 0;
  const date = new Date(from * 86_400_000);
  let year = date.getUTCFullYear();
  let month = date.getUTCMonth() + 1;
  for (let first = firstDay(year, month); first < until; ) {
    let mask = monthMask(calendar, year, month);
    if (first < from) mask &= -1 << (from - first);
    if (until - first < 31) mask &= (1 << (until - first)) - 1;
    count += bitCount(mask);
    month += 1;
    if (month > 12) {
      month = 1;
      year += 1;
    }
    first = firstDay(year, month);
  }
  return count;
}

/** All months as bits. */
export const allMonths = 0b1_1111_1111_1110;

function isEveryDay(calendar: Calendar): boolean {
  return calendar.days === null && calendar.years === null && calendar.months === allMonths;
}

/** The matching days of a month as bits, day 1 in bit 0. */
export function monthMask(calendar: Calendar, year: number, month: number): number {
  if ((calendar.months & (1 << month)) === 0) return 0;
  if (calendar.years !== null && !calendar.years.includes(year)) return 0;
  if (calendar.days !== null) return calendar.days(year, month);
  return 0x7fff_ffff >>> (31 - (firstDay(year, month + 1) - firstDay(year, month)));
}

function yearAtOrAfter(calendar: Calendar, year: number): number {
  if (calendar.years === null) return year;
  return calendar.years.find((named) => named >= year) ?? Number.POSITIVE_INFINITY;
}

function yearAtOrBefore(calendar: Calendar, year: number): number {
  if (calendar.years === null) return year;
  return calendar.years.findLast((named) => named <= year) ?? Number.NEGATIVE_INFINITY;
}

/** The day number of a month's first day. */
export function firstDay(year: number, month: number): number {
  return Date.UTC(year, month - 1, 1) / 86_400_000;
}

function lowestBit(mask: number): number {
  return 31 - Math.clz32(mask & -mask);
}

function highestBit(mask: number): number {
  return 31 - Math.clz32(mask);
}

function bitCount(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}
