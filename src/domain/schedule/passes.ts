import type { FoldRule, GapRule } from './schedule.ts';
import { type WallTimes, wallAtOrAfter } from './wallTimes.ts';
import type { Span } from './zone.ts';

/** What the daylight-saving rules need of a schedule. */
export interface PassRule {
  readonly gap: GapRule;
  readonly fold: FoldRule;
}

/**
 * The wall times [low, high) that count in a span. Where the clock was set back, the last wall
 * times of one span come again in the next; `first` leaves them out there and `second` here. That
 * is the whole overlap rule, so an instant is a tick or not wherever the question is asked from.
 */
export function wallsOfSpan(rule: PassRule, span: Span): { low: number; high: number } {
  const setBackBefore = span.offset < span.offsetBefore;
  const setBackAfter = span.offsetAfter < span.offset;
  return {
    low: span.start + (rule.fold === 'first' && setBackBefore ? span.offsetBefore : span.offset),
    high: span.end + (rule.fold === 'second' && setBackAfter ? span.offsetAfter : span.offset),
  };
}

/** Whether a span's first instant is a tick because wall times that the clock jumped over match. */
export function ticksAfterGap(rule: PassRule, walls: WallTimes, span: Span): boolean {
  if (rule.gap !== 'shift' || span.offset <= span.offsetBefore) return false;
  const skipped = wallAtOrAfter(walls, span.start + span.offsetBefore);
  return skipped !== null && skipped < span.start + span.offset;
}

/**
 * A search that leaves a span jumps to where the next match must lie, but within two days of a
 * change it goes change by change: a clock set back repeats at most a day (Kwajalein, 1969).
 */
export const nearChangeSeconds = 2 * 86_400;
