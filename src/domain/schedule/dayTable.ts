import type { DayTerm } from './dayTerm.ts';
import {
  bitCount,
  hasOfSixty,
  type Sixty,
  sixtyAtOrAfter,
  sixtyAtOrBefore,
  sixtyBelow,
} from './sixty.ts';

/**
 * Seconds of a minute that belong to the same terms, so that one row of minutes serves them all.
 * Most sets have one or two such kinds: second 0, and the rest.
 */
export interface SecondKind extends Sixty {
  readonly size: number;
  /** 1 for each named, each excluded term that has these seconds. */
  readonly named: Uint8Array;
  readonly excluded: Uint8Array;
}

/** The seconds of one day that its named terms have and its excluded ones have not. */
export interface DayTable {
  readonly kinds: readonly SecondKind[];
  /** For each hour and kind the minutes, in two words of 30 bits. */
  readonly rows: Int32Array;
  /** For each hour the minutes of all kinds together. */
  readonly minutes: Int32Array;
  /** How many seconds stand before each hour; the 25th number is that of the whole day. */
  readonly before: Int32Array;
}

/** Sorts the seconds by what they belong to. Those that nothing names are left out. */
export function secondKinds(
  named: readonly DayTerm[],
  excluded: readonly DayTerm[],
): readonly SecondKind[] {
  const kinds = new Map<string, { seconds: number[]; named: Uint8Array; excluded: Uint8Array }>();
  for (let second = 0; second < 60; second += 1) {
    const isIn = ({ seconds: { low, high } }: DayTerm): number =>
      (second < 30 ? low >>> second : high >>> (second - 30)) & 1;
    const namedIn = Uint8Array.from(named, isIn);
    if (!namedIn.includes(1)) continue;
    const excludedIn = Uint8Array.from(excluded, isIn);
    const key = `${namedIn.join('')} ${excludedIn.join('')}`;
    const kind = kinds.get(key) ?? { seconds: [], named: namedIn, excluded: excludedIn };
    kind.seconds.push(second);
    kinds.set(key, kind);
  }
  return [...kinds.values()].map(({ seconds, ...terms }) => {
    let [low, high] = [0, 0];
    for (const second of seconds) {
      if (second < 30) low |= 1 << second;
      else high |= 1 << (second - 30);
    }
    return { low, high, size: seconds.length, ...terms };
  });
}

/** Fills the table of a day on which these terms, by their place in the lists, hold. */
export function makeDayTable(
  kinds: readonly SecondKind[],
  terms: { readonly named: readonly DayTerm[]; readonly excluded: readonly DayTerm[] },
  holding: { readonly named: readonly number[]; readonly excluded: readonly number[] },
): DayTable {
  const rows = new Int32Array(24 * kinds.length * 2);
  const minutes = new Int32Array(48);
  const before = new Int32Array(25);
  let place = 0;
  for (let hour = 0; hour < 24; hour += 1) {
    let count = 0;
    for (const kind of kinds) {
      let [low, high] = [0, 0];
      for (const index of holding.named) {
        const term = terms.named[index] as DayTerm;
        if (kind.named[index] === 0 || ((term.hours >>> hour) & 1) === 0) continue;
        low |= term.minutes.low;
        high |= term.minutes.high;
      }
      for (const index of (low | high) === 0 ? [] : holding.excluded) {
        const term = terms.excluded[index] as DayTerm;
        if (kind.excluded[index] === 0 || ((term.hours >>> hour) & 1) === 0) continue;
        low &= ~term.minutes.low;
        high &= ~term.minutes.high;
      }
      rows[place] = low;
      rows[place + 1] = high;
      place += 2;
      (minutes[2 * hour] as number) |= low;
      (minutes[2 * hour + 1] as number) |= high;
      count += kind.size * (bitCount(low) + bitCount(high));
    }
    before[hour + 1] = (before[hour] as number) + count;
  }
  return { kinds, rows, minutes, before };
}

/** How many seconds the day has. */
export function daySize({ before }: DayTable): number {
  return before[24] as number;
}

/** The first second at or after `ofDay` (0–86399), or -1. */
export function secondAtOrAfter(table: DayTable, ofDay: number): number {
  const [h, m, s] = partsOf(ofDay);
  for (let hour = h; hour < 24; hour += 1) {
    const low = table.minutes[2 * hour] as number;
    const high = table.minutes[2 * hour + 1] as number;
    let minute = sixtyAtOrAfter(low, high, hour === h ? m : 0);
    while (minute >= 0) {
      const seconds = secondsOf(table, hour, minute);
      const isFirst = hour === h && minute === m;
      const second = sixtyAtOrAfter(seconds.low, seconds.high, isFirst ? s : 0);
      if (second >= 0) return hour * 3600 + minute * 60 + second;
      minute = sixtyAtOrAfter(low, high, minute + 1);
    }
  }
  return -1;
}

/** The last second at or before `ofDay` (0–86399), or -1. */
export function secondAtOrBefore(table: DayTable, ofDay: number): number {
  const [h, m, s] = partsOf(ofDay);
  for (let hour = h; hour >= 0; hour -= 1) {
    const low = table.minutes[2 * hour] as number;
    const high = table.minutes[2 * hour + 1] as number;
    let minute = sixtyAtOrBefore(low, high, hour === h ? m : 59);
    while (minute >= 0) {
      const seconds = secondsOf(table, hour, minute);
      const isFirst = hour === h && minute === m;
      const second = sixtyAtOrBefore(seconds.low, seconds.high, isFirst ? s : 59);
      if (second >= 0) return hour * 3600 + minute * 60 + second;
      minute = minute === 0 ? -1 : sixtyAtOrBefore(low, high, minute - 1);
    }
  }
  return -1;
}

/** Whether the day has a second (0–86399). */
export function hasSecond({ kinds, rows }: DayTable, ofDay: number): boolean {
  const hour = Math.floor(ofDay / 3600);
  const minute = Math.floor(ofDay / 60) % 60;
  let row = 2 * hour * kinds.length + (minute < 30 ? 0 : 1);
  for (let place = 0; place < kinds.length; place += 1) {
    const { low, high } = kinds[place] as SecondKind;
    const isMinute = (((rows[row] as number) >>> (minute % 30)) & 1) === 1;
    if (isMinute && hasOfSixty(low, high, ofDay % 60)) return true;
    row += 2;
  }
  return false;
}

/** How many seconds stand before `ofDay` (0–86400). */
export function secondsBefore(table: DayTable, ofDay: number): number {
  if (ofDay >= 86_400) return daySize(table);
  const [hour, minute, second] = partsOf(ofDay);
  let count = table.before[hour] as number;
  let row = 2 * hour * table.kinds.length;
  for (const kind of table.kinds) {
    const low = table.rows[row] as number;
    const high = table.rows[row + 1] as number;
    count += kind.size * sixtyBelow(low, high, minute);
    if (hasOfSixty(low, high, minute)) count += sixtyBelow(kind.low, kind.high, second);
    row += 2;
  }
  return count;
}

/** The seconds of a minute, of all kinds together. */
function secondsOf(table: DayTable, hour: number, minute: number): Sixty {
  let [low, high] = [0, 0];
  let row = 2 * hour * table.kinds.length + (minute < 30 ? 0 : 1);
  for (const kind of table.kinds) {
    if ((((table.rows[row] as number) >>> (minute % 30)) & 1) === 1) {
      low |= kind.low;
      high |= kind.high;
    }
    row += 2;
  }
  return { low, high };
}

function partsOf(ofDay: number): [hour: number, minute: number, second: number] {
  return [Math.floor(ofDay / 3600), Math.floor(ofDay / 60) % 60, ofDay % 60];
}
