import { everyDay, searchYearsMax } from './calendar.ts';
import { timesOfEvery, wholeDay } from './dayTimes.ts';
import { type DayTerm, type Excluded, WallSet } from './wallSet.ts';
import type { ClockChangeRule, Span, Zone } from './zone.ts';

/** Cron fields in a set, with the daylight-saving rules of their own. */
export interface NamedTerm extends ClockChangeRule {
  readonly term: DayTerm;
}

export const nothingExcluded: Excluded = { days: [], terms: [] };

/** Every second there is. */
export const everySecond: DayTerm = { ...wholeDay, calendar: everyDay };

/** What a set of schedules of one zone names by the clock. */
interface Combined {
  readonly zone: Zone;
  readonly named: readonly NamedTerm[];
  readonly excluded: Excluded;
  /** Each `@every` that is the same on every day, see `timesOfEvery`; absent: none. */
  readonly everySeconds?: readonly number[];
  /** What `@every` counts from. */
  readonly anchor?: number;
}

/** A stretch of a span in which the same terms count. */
interface Piece {
  readonly span: Span;
  readonly start: number;
  readonly end: number;
  /** All of the terms count: what is not found in it is in no other piece, either. */
  readonly isWhole: boolean;
  readonly walls: WallSet;
}

/**
 * The ticks that several schedules of one zone name together and no exclusion names, in epoch
 * seconds. Each schedule has daylight-saving rules of its own. Exclusions are by the clock, too: a
 * tick is excluded when the clock then shows an excluded time, and a wall time that does not exist
 * when it is an excluded one, so that it shifts no tick out of its gap.
 */
export class CombinedInstants {
  readonly #of: Combined;
  readonly #sets = new Map<string, WallSet>();
  #latest: Piece | null = null;
  /** Without a year in any of the fields a search ends sooner. */
  readonly #horizonSeconds: number;

  constructor(of: Combined) {
    this.#of = of;
    const hasYears = of.named.some(({ term }) => term.calendar.years !== null);
    this.#horizonSeconds = (hasYears ? 130 : searchYearsMax) * 366 * 86_400;
  }

  /** The first tick at or after `from`, or null when there is none within 50 years. */
  next(from: number): number | null {
    let horizon = from + this.#horizonSeconds;
    let at = from;
    while (at < horizon) {
      const { span, end, isWhole, walls } = this.#pieceAt(at);
      if (isAfterGap(span, at)) {
        if (this.#isTickAfterGap(span, walls)) return at;
        at += 1;
        continue;
      }
      const wall = walls.atOrAfter(at + span.offset, horizon + span.offset);
      if (wall !== null && wall < end + span.offset) return wall - span.offset;
      // Past the last match only a second pass may follow, soon: a clock is set back by a day most.
      if (isWhole && wall === null) horizon = Math.min(horizon, at + 2 * nearChangeSeconds);
      const isFar = isWhole && wall !== null && span.end - at > nearChangeSeconds;
      at = isFar ? Math.max(end, wall - nearChangeSeconds) : end;
    }
    return null;
  }

  /** The last tick in [from, until], or null. */
  last(from: number, until: number): number | null {
    let earliest = from;
    let at = until;
    while (at >= earliest) {
      const { span, start, isWhole, walls } = this.#pieceAt(at);
      if (isAfterGap(span, at)) {
        if (this.#isTickAfterGap(span, walls)) return at;
        at -= 1;
        continue;
      }
      const wall = walls.atOrBefore(at + span.offset, earliest + span.offset);
      if (wall !== null && wall >= start + span.offset) {
        return wall - span.offset < from ? null : wall - span.offset;
      }
      if (isWhole && wall === null) earliest = Math.max(earliest, at - 2 * nearChangeSeconds);
      // The first instant after a gap is looked at by itself: what shifts there is no wall of it.
      const before = isAfterGap(span, start) ? start : start - 1;
      const isFar = isWhole && wall !== null && at - span.start > nearChangeSeconds;
      at = isFar ? Math.min(before, wall + nearChangeSeconds) : before;
    }
    return null;
  }

  /** How many ticks lie in [from, until). */
  count(from: number, until: number): number {
    let count = 0;
    let at = from;
    while (at < until) {
      const { span, end, walls } = this.#pieceAt(at);
      if (isAfterGap(span, at)) {
        if (this.#isTickAfterGap(span, walls)) count += 1;
        at += 1;
        continue;
      }
      const last = Math.min(end, until);
      count += walls.count(at + span.offset, last + span.offset);
      at = last;
    }
    return count;
  }

  /** Whether an instant is a tick. */
  has(at: number): boolean {
    const { span, walls } = this.#pieceAt(at);
    return isAfterGap(span, at) ? this.#isTickAfterGap(span, walls) : walls.has(at + span.offset);
  }

  /** Whether an instant is a tick only because wall times in the gap before it shift there. */
  isShifted(at: number): boolean {
    const { span, walls } = this.#pieceAt(at);
    if (!isAfterGap(span, at) || walls.has(at + span.offset)) return false;
    return this.#isTickAfterGap(span, walls);
  }

  #isTickAfterGap(span: Span, walls: WallSet): boolean {
    const wall = span.start + span.offset;
    if (walls.has(wall)) return true;
    const shifting = this.#setOf('shifting', () =>
      this.#of.named.filter(({ gap }) => gap === 'shift').map(({ term }) => term),
    );
    const skipped = shifting.atOrAfter(span.start + span.offsetBefore, wall);
    if (skipped === null || skipped >= wall) return false;
    return this.#setOf('allowed', () => [everySecond]).has(wall);
  }

  /** Where the clock is set back, what it shows comes twice: in the span's end and in the next. */
  #pieceAt(at: number): Piece {
    if (this.#latest !== null && at >= this.#latest.start && at < this.#latest.end) {
      return this.#latest;
    }
    const { zone, anchor = Number.NEGATIVE_INFINITY, everySeconds = [] } = this.#of;
    const span = zone.spanAt(at);
    const secondEnd = span.start + Math.max(0, span.offsetBefore - span.offset);
    const firstStart = span.end - Math.max(0, span.offset - span.offsetAfter);
    let { start, end } = span;
    for (const cut of [secondEnd, firstStart, anchor + 1]) {
      if (cut <= at) start = Math.max(start, cut);
      else end = Math.min(end, cut);
    }
    const [isFirstPass, isSecondPass] = [at >= firstStart, at < secondEnd];
    const isCounting = everySeconds.length > 0 && at > anchor;
    const walls = this.#setOf(
      `${isFirstPass} ${isSecondPass} ${isCounting ? span.offset : ''}`,
      () => this.#termsOf(isFirstPass, isSecondPass, isCounting ? anchor + span.offset : null),
    );
    const isWhole = !isFirstPass && !isSecondPass && at > anchor;
    this.#latest = { span, start, end, isWhole, walls };
    return this.#latest;
  }

  /** The terms that count in a piece; `phase`: of those of `@every`, null for none of them. */
  #termsOf(isFirstPass: boolean, isSecondPass: boolean, phase: number | null): DayTerm[] {
    const { named, everySeconds = [] } = this.#of;
    const terms = named
      .filter(({ fold }) => !(isFirstPass && fold === 'second'))
      .filter(({ fold }) => !(isSecondPass && fold === 'first'))
      .map(({ term }) => term);
    if (phase === null) return terms;
    return [
      ...terms,
      ...everySeconds.map((every) => ({ ...everySecond, ...timesOfEvery(every, phase) })),
    ];
  }

  #setOf(key: string, terms: () => readonly DayTerm[]): WallSet {
    let set = this.#sets.get(key);
    if (set === undefined) {
      set = new WallSet(terms(), this.#of.excluded);
      if (this.#sets.size >= setsMax) this.#sets.clear();
      this.#sets.set(key, set);
    }
    return set;
  }
}

/**
 * A search that leaves a span jumps to where the next match must lie, but within two days of a
 * change it goes change by change: a clock set back repeats at most a day (Kwajalein, 1969).
 */
const nearChangeSeconds = 2 * 86_400;

/** Sets of wall times kept: a zone has two or three offsets, and each two kinds of pieces. */
const setsMax = 16;

/** Whether it is the first instant after a gap. */
function isAfterGap(span: Span, at: number): boolean {
  return at === span.start && span.offset > span.offsetBefore;
}
