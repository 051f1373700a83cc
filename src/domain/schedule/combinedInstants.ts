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

/** A stretch of a span in which the same terms count; the first second after a gap is its own. */
interface Piece {
  readonly span: Span;
  readonly start: number;
  readonly end: number;
  /** It is such a second, and a tick only because wall times in the gap shift there. */
  readonly isShifted: boolean;
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
  readonly #sets = new Map<number, WallSet>();
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
      const wall = walls.atOrBefore(at + span.offset, earliest + span.offset);
      if (wall !== null && wall >= start + span.offset) {
        return wall - span.offset < from ? null : wall - span.offset;
      }
      if (isWhole && wall === null) earliest = Math.max(earliest, at - 2 * nearChangeSeconds);
      const isFar = isWhole && wall !== null && at - span.start > nearChangeSeconds;
      at = isFar ? Math.min(start - 1, wall + nearChangeSeconds) : start - 1;
    }
    return null;
  }

  /** How many ticks lie in [from, until). */
  count(from: number, until: number): number {
    let count = 0;
    let at = from;
    while (at < until) {
      const { span, end, walls } = this.#pieceAt(at);
      const last = Math.min(end, until);
      count += walls.count(at + span.offset, last + span.offset);
      at = last;
    }
    return count;
  }

  /** Whether an instant is a tick. */
  has(at: number): boolean {
    const { span, walls } = this.#pieceAt(at);
    return walls.has(at + span.offset);
  }

  /** Whether an instant is a tick only because wall times in the gap before it shift there. */
  isShifted(at: number): boolean {
    return this.#pieceAt(at).isShifted;
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
    const hasGap = span.offset > span.offsetBefore;
    let { start, end } = span;
    for (const cut of [secondEnd, firstStart, anchor + 1, hasGap ? start + 1 : start]) {
      if (cut <= at) start = Math.max(start, cut);
      else end = Math.min(end, cut);
    }
    const [isFirstPass, isSecondPass] = [at >= firstStart, at < secondEnd];
    const phase = everySeconds.length > 0 && at > anchor ? anchor + span.offset : null;
    const passes = (isFirstPass ? 1 : 0) + (isSecondPass ? 2 : 0);
    const key = passes + (phase === null ? 0 : 4 * (nearChangeSeconds + span.offset));
    const own = this.#setOf(key, () => this.#termsOf(isFirstPass, isSecondPass, phase));
    const isAfterGap = hasGap && at === span.start;
    const isShifted = isAfterGap && this.#isShiftedAfter(span, own);
    const isWhole = !isFirstPass && !isSecondPass && !isAfterGap && at > anchor;
    const walls = isShifted ? this.#allowed : own;
    this.#latest = { span, start, end, isShifted, isWhole, walls };
    return this.#latest;
  }

  /** Whether the first second after a gap is a tick only for wall times that shift out of it. */
  #isShiftedAfter(span: Span, walls: WallSet): boolean {
    const wall = span.start + span.offset;
    if (walls.has(wall)) return false;
    const shifting = this.#setOf(shiftingKey, () =>
      this.#of.named.filter(({ gap }) => gap === 'shift').map(({ term }) => term),
    );
    const skipped = shifting.atOrAfter(span.start + span.offsetBefore, wall);
    return skipped !== null && skipped < wall && this.#allowed.has(wall);
  }

  get #allowed(): WallSet {
    return this.#setOf(allowedKey, () => [everySecond]);
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

  #setOf(key: number, terms: () => readonly DayTerm[]): WallSet {
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

/** Keys of two sets beside those of pieces, which are not negative. */
const shiftingKey = -1;
const allowedKey = -2;

/** Sets of wall times kept: a zone has two or three offsets, and each two kinds of pieces. */
const setsMax = 16;
