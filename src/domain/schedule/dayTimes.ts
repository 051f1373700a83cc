/** A set of the numbers 0–59 as bits, in two words of 30. */
export interface Sixty {
  readonly low: number;
  readonly high: number;
}

/**
 * Times of a day as bits: each of the seconds of each of the minutes of each of the hours. Cron
 * fields are one of these; several schedules less exclusions are a list of which no two overlap.
 */
export interface DayTimes {
  /** Midnight in bit 0. */
  readonly hours: number;
  readonly minutes: Sixty;
  readonly seconds: Sixty;
}

const allHours = 0xff_ffff;
export const allSixty: Sixty = { low: 0x3fff_ffff, high: 0x3fff_ffff };
/** Every second of a day. */
export const wholeDay: DayTimes = { hours: allHours, minutes: allSixty, seconds: allSixty };

/** The times that the values of the three fields name. */
export function dayTimes(
  hours: readonly number[],
  minutes: readonly number[],
  seconds: readonly number[],
): DayTimes {
  let bits = 0;
  for (const hour of hours) bits |= 1 << hour;
  return { hours: bits, minutes: sixtyOf(minutes), seconds: sixtyOf(seconds) };
}

/**
 * The times of an `@every` that are the same each day and a product of fields, as those of 10s, 5m
 * or 6h are; null for others, e.g. 7s, 90m or 25h.
 * @param phase any of its instants, as wall-clock seconds
 */
export function timesOfEvery(everySeconds: number, phase: number): DayTimes | null {
  const isProduct = [60, 3600, 86_400].every(
    (unit) => unit % everySeconds === 0 || everySeconds % unit === 0,
  );
  if (!isProduct || everySeconds > 86_400) return null;
  const [everyMinutes, everyHours] = [Math.ceil(everySeconds / 60), Math.ceil(everySeconds / 3600)];
  return dayTimes(
    valuesEvery(24, everyHours, Math.floor(phase / 3600)),
    valuesEvery(60, Math.min(60, everyMinutes), Math.floor(phase / 60)),
    valuesEvery(60, Math.min(60, everySeconds), phase),
  );
}

/** Whether it is all of a day. */
export function isWholeDay({ hours, minutes, seconds }: DayTimes): boolean {
  return hours === allHours && sizeOf(minutes) === 60 && sizeOf(seconds) === 60;
}

/** The first of the times at or after `ofDay` (0–86399), or -1. */
export function firstFrom(parts: readonly DayTimes[], ofDay: number): number {
  let first = -1;
  for (const part of parts) {
    const found = timeAtOrAfter(part, ofDay);
    if (found >= 0 && (first < 0 || found < first)) first = found;
  }
  return first;
}

/** The last of the times at or before `ofDay` (0–86399), or -1. */
export function lastUntil(parts: readonly DayTimes[], ofDay: number): number {
  let last = -1;
  for (const part of parts) last = Math.max(last, timeAtOrBefore(part, ofDay));
  return last;
}

/** How many of the times lie before `ofDay` (0–86400). */
export function countBefore(parts: readonly DayTimes[], ofDay: number): number {
  const [hour, minute] = [Math.floor(ofDay / 3600), Math.floor(ofDay / 60) % 60];
  let count = 0;
  for (const { hours, minutes, seconds } of parts) {
    const ofMinute = sizeOf(seconds);
    count += bitCount(hours & ((1 << hour) - 1)) * sizeOf(minutes) * ofMinute;
    if (((hours >>> hour) & 1) === 0) continue;
    count += countBelow(minutes, minute) * ofMinute;
    if (has(minutes, minute)) count += countBelow(seconds, ofDay % 60);
  }
  return count;
}

function timeAtOrAfter({ hours, minutes, seconds }: DayTimes, ofDay: number): number {
  const [hour, minute] = [Math.floor(ofDay / 3600), Math.floor(ofDay / 60) % 60];
  if (((hours >>> hour) & 1) === 1) {
    const second = has(minutes, minute) ? atOrAfter(seconds, ofDay % 60) : -1;
    if (second >= 0) return hour * 3600 + minute * 60 + second;
    const next = atOrAfter(minutes, minute + 1);
    if (next >= 0) return hour * 3600 + next * 60 + atOrAfter(seconds, 0);
  }
  const later = hours & (-2 << hour);
  if (later === 0) return -1;
  return lowestBit(later) * 3600 + atOrAfter(minutes, 0) * 60 + atOrAfter(seconds, 0);
}

function timeAtOrBefore({ hours, minutes, seconds }: DayTimes, ofDay: number): number {
  const [hour, minute] = [Math.floor(ofDay / 3600), Math.floor(ofDay / 60) % 60];
  if (((hours >>> hour) & 1) === 1) {
    const second = has(minutes, minute) ? atOrBefore(seconds, ofDay % 60) : -1;
    if (second >= 0) return hour * 3600 + minute * 60 + second;
    const previous = atOrBefore(minutes, minute - 1);
    if (previous >= 0) return hour * 3600 + previous * 60 + atOrBefore(seconds, 59);
  }
  const earlier = hours & ((1 << hour) - 1);
  if (earlier === 0) return -1;
  return highestBit(earlier) * 3600 + atOrBefore(minutes, 59) * 60 + atOrBefore(seconds, 59);
}

export function sixtyOf(values: readonly number[]): Sixty {
  let [low, high] = [0, 0];
  for (const value of values) {
    if (value < 30) low |= 1 << value;
    else high |= 1 << (value - 30);
  }
  return { low, high };
}

/** The values below `size` that are a multiple of `step` away from one of them. */
function valuesEvery(size: number, step: number, one: number): number[] {
  const first = ((one % step) + step) % step;
  return Array.from({ length: Math.ceil((size - first) / step) }, (_, n) => first + n * step);
}

/** Whether it has a number. */
export function has({ low, high }: Sixty, value: number): boolean {
  return ((value < 30 ? low >>> value : high >>> (value - 30)) & 1) === 1;
}

/** The smallest number at or after one of 0–60, or -1. */
function atOrAfter({ low, high }: Sixty, value: number): number {
  const inLow = value < 30 ? low & (-1 << value) : 0;
  if (inLow !== 0) return lowestBit(inLow);
  const inHigh = value <= 30 ? high : value < 60 ? high & (-1 << (value - 30)) : 0;
  return inHigh === 0 ? -1 : 30 + lowestBit(inHigh);
}

/** The largest number at or before one of -1–59, or -1. */
function atOrBefore({ low, high }: Sixty, value: number): number {
  const inHigh = value < 30 ? 0 : high & ((1 << (value - 29)) - 1);
  if (inHigh !== 0) return 30 + highestBit(inHigh);
  const inLow = value < 30 ? low & ((1 << (value + 1)) - 1) : low;
  return inLow === 0 ? -1 : highestBit(inLow);
}

/** How many numbers lie below one of 0–59. */
function countBelow({ low, high }: Sixty, value: number): number {
  if (value < 30) return bitCount(low & ((1 << value) - 1));
  return bitCount(low) + bitCount(high & ((1 << (value - 30)) - 1));
}

function sizeOf({ low, high }: Sixty): number {
  return bitCount(low) + bitCount(high);
}

export function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}

export function highestBit(word: number): number {
  return 31 - Math.clz32(word);
}

/** How many bits of a word are set. */
export function bitCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x5555_5555);
  bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
