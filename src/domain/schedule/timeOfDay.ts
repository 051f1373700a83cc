/**
 * The seconds of a day that a schedule names, as lookup tables: where the next value is, where the
 * previous one is, how many lie below. Each question costs a few array reads whatever the fields.
 */
export interface TimeOfDay {
  readonly hour: ValueTable;
  readonly minute: ValueTable;
  readonly second: ValueTable;
  /** Matches in one day. */
  readonly perDay: number;
  /** The first and the last match of a day, in seconds from midnight. */
  readonly first: number;
  readonly last: number;
}

export interface ValueTable {
  readonly count: number;
  readonly first: number;
  readonly last: number;
  /** `after[i]`: the smallest value >= i, or -1. */
  readonly after: Int8Array;
  /** `before[i]`: the largest value <= i, or -1. */
  readonly before: Int8Array;
  /** `below[i]`: how many values are < i. */
  readonly below: Int8Array;
}

/** Builds the tables from the values of the three fields, none of them empty. */
export function timeOfDay(
  seconds: readonly number[],
  minutes: readonly number[],
  hours: readonly number[],
): TimeOfDay {
  const hour = valueTable(hours, 24);
  const minute = valueTable(minutes, 60);
  const second = valueTable(seconds, 60);
  return {
    hour,
    minute,
    second,
    perDay: hour.count * minute.count * second.count,
    first: hour.first * 3600 + minute.first * 60 + second.first,
    last: hour.last * 3600 + minute.last * 60 + second.last,
  };
}

/** The first match at or after `ofDay` (0–86399), or -1 when the day has none left. */
export function timeAtOrAfter(time: TimeOfDay, ofDay: number): number {
  const { hour, minute, second } = time;
  const h = Math.floor(ofDay / 3600);
  const m = Math.floor(ofDay / 60) % 60;
  const earliest = minute.first * 60 + second.first;
  if (hour.after[h] === h) {
    if (minute.after[m] === m) {
      const s = at(second.after, ofDay % 60);
      if (s >= 0) return h * 3600 + m * 60 + s;
    }
    const next = at(minute.after, m + 1);
    if (next >= 0) return h * 3600 + next * 60 + second.first;
  }
  const next = at(hour.after, h + 1);
  return next < 0 ? -1 : next * 3600 + earliest;
}

/** The last match at or before `ofDay` (0–86399), or -1 when the day had none yet. */
export function timeAtOrBefore(time: TimeOfDay, ofDay: number): number {
  const { hour, minute, second } = time;
  const h = Math.floor(ofDay / 3600);
  const m = Math.floor(ofDay / 60) % 60;
  if (hour.before[h] === h) {
    if (minute.before[m] === m) {
      const s = at(second.before, ofDay % 60);
      if (s >= 0) return h * 3600 + m * 60 + s;
    }
    const previous = m === 0 ? -1 : at(minute.before, m - 1);
    if (previous >= 0) return h * 3600 + previous * 60 + second.last;
  }
  const previous = h === 0 ? -1 : at(hour.before, h - 1);
  return previous < 0 ? -1 : previous * 3600 + minute.last * 60 + second.last;
}

/** How many matches of a day lie before `ofDay` (0–86400). */
export function timesBefore(time: TimeOfDay, ofDay: number): number {
  if (ofDay >= 86_400) return time.perDay;
  const { hour, minute, second } = time;
  const h = Math.floor(ofDay / 3600);
  const m = Math.floor(ofDay / 60) % 60;
  let count = at(hour.below, h) * minute.count * second.count;
  if (hour.after[h] !== h) return count;
  count += at(minute.below, m) * second.count;
  return minute.after[m] === m ? count + at(second.below, ofDay % 60) : count;
}

/** The same minutes, each of them whole: all of its seconds. */
export function wholeMinutes(time: TimeOfDay): TimeOfDay {
  const second = valueTable(allSeconds, 60);
  return {
    ...time,
    second,
    perDay: time.hour.count * time.minute.count * 60,
    first: time.first - (time.first % 60),
    last: time.last - (time.last % 60) + 59,
  };
}

const allSeconds = Array.from({ length: 60 }, (_, second) => second);

function valueTable(values: readonly number[], size: number): ValueTable {
  const present = new Set(values);
  const after = new Int8Array(size + 1).fill(-1);
  const before = new Int8Array(size + 1).fill(-1);
  const below = new Int8Array(size + 1);
  for (let i = size - 1; i >= 0; i -= 1) after[i] = present.has(i) ? i : at(after, i + 1);
  for (let i = 0; i < size; i += 1) {
    before[i] = present.has(i) ? i : i === 0 ? -1 : at(before, i - 1);
    below[i + 1] = at(below, i) + (present.has(i) ? 1 : 0);
  }
  return {
    count: present.size,
    first: at(after, 0),
    last: at(before, size - 1),
    after,
    before,
    below,
  };
}

/** Indexes stay within the table by construction; this says so to the compiler. */
function at(table: Int8Array, index: number): number {
  return table[index] as number;
}
