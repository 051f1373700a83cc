import { noTicks, type TickSource } from '../../run/tickSource.ts';
import { readScheduleSet } from '../../schedule/read/readScheduleSet.ts';
import { ticksOfRevision } from '../../schedule/read/revisionTicks.ts';
import type { RevisionRecord } from '../rules/records.ts';

/** The time that one revision was in force, half open, and the ticks that it names in it. */
interface Span {
  readonly fromMs: number;
  readonly untilMs: number;
  /** Null until it is needed: most revisions of a long history never are. */
  source: TickSource | null;
  isReadable: boolean;
  readonly record: RevisionRecord;
}

/**
 * Every tick of a job: those of each revision while it was in force. Nothing is enumerated, so that
 * a question about a year of a job that runs each second costs no more than one about a day.
 */
export class NamedTicks {
  readonly #spans: readonly Span[];

  constructor(revisions: readonly RevisionRecord[]) {
    const sorted = [...revisions].sort((a, b) => a.fromMs - b.fromMs || a.revision - b.revision);
    this.#spans = sorted.flatMap((record, place): Span[] => {
      // Where revisions overlap, which is a finding of its own, the later one counts.
      const nextFromMs = sorted[place + 1]?.fromMs ?? Infinity;
      const untilMs = Math.min(record.untilMs ?? Infinity, nextFromMs);
      if (untilMs <= record.fromMs) return [];
      return [{ fromMs: record.fromMs, untilMs, source: null, isReadable: true, record }];
    });
  }

  /** The first tick strictly after the instant, or null. */
  next(afterMs: number): number | null {
    for (let place = Math.max(0, this.#placeOf(afterMs)); ; place += 1) {
      const span = this.#spans[place];
      if (span === undefined) return null;
      if (span.untilMs <= afterMs) continue;
      const tickMs = sourceOf(span).next(Math.max(afterMs, span.fromMs - 1));
      if (tickMs !== null && tickMs < span.untilMs) return tickMs;
    }
  }

  /** The last tick at or before the instant, or null. */
  last(atMs: number): number | null {
    for (let place = this.#placeOf(atMs); place >= 0; place -= 1) {
      const span = this.#spans[place] as Span;
      const tickMs = sourceOf(span).lastAtOrBefore(Math.min(atMs, span.untilMs - 1));
      if (tickMs !== null) return tickMs;
    }
    return null;
  }

  /** How many ticks stand in [fromMs, untilMs], both included. */
  count(fromMs: number, untilMs: number): number {
    let count = 0;
    for (let place = Math.max(0, this.#placeOf(fromMs)); ; place += 1) {
      const span = this.#spans[place];
      if (span === undefined || span.fromMs > untilMs) return count;
      if (span.untilMs <= fromMs) continue;
      const lastMs = Math.min(untilMs, span.untilMs - 1);
      count += sourceOf(span).count(Math.max(fromMs, span.fromMs), lastMs);
    }
  }

  /** Whether the instant is a tick. */
  names(atMs: number): boolean {
    const span = this.#spans[this.#placeOf(atMs)];
    if (span === undefined || atMs >= span.untilMs) return false;
    return sourceOf(span).lastAtOrBefore(atMs) === atMs;
  }

  /** Whether the revision in force then has a schedule that this version cannot read. */
  isUnreadable(atMs: number): boolean {
    const span = this.#spans[this.#placeOf(atMs)];
    if (span === undefined || atMs >= span.untilMs) return false;
    sourceOf(span);
    return !span.isReadable;
  }

  /** The revisions whose schedule this version cannot read. */
  unreadable(): RevisionRecord[] {
    return this.#spans.flatMap((span) => {
      sourceOf(span);
      return span.isReadable ? [] : [span.record];
    });
  }

  /** The place of the last span that begins at or before the instant, or -1. */
  #placeOf(atMs: number): number {
    return firstPlace(this.#spans, ({ fromMs }) => fromMs > atMs) - 1;
  }
}

function sourceOf(span: Span): TickSource {
  if (span.source !== null) return span.source;
  const { definition, isPaused } = span.record;
  span.source = noTicks;
  if (isPaused) return noTicks;
  if (definition === null) {
    span.isReadable = false;
    return noTicks;
  }
  span.source = ticksOfRevision(definition, span.fromMs);
  if (span.source.next(span.fromMs - 1) === null) {
    span.isReadable = !('error' in readScheduleSet(definition));
  }
  return span.source;
}

/** The place of the first entry of which a test holds; it must hold of all after it, too. */
export function firstPlace<T>(sorted: readonly T[], holds: (entry: T) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(sorted[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}
