import { noTicks, type TickSource } from '../../run/tickSource.ts';
import { readScheduleSet } from '../../schedule/read/readScheduleSet.ts';
import { ticksOfRevision } from '../../schedule/read/revisionTicks.ts';
import type { RevisionRecord, RevisionTerms } from '../rules/records.ts';

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
    const span = this.#spanAt(atMs);
    return span !== null && sourceOf(span).lastAtOrBefore(atMs) === atMs;
  }

  /** Whether the revision in force then has a schedule that this version cannot read. */
  isUnreadable(atMs: number): boolean {
    const span = this.#spanAt(atMs);
    return span !== null && isUnreadable(span);
  }

  /** The revisions whose schedule this version cannot read. */
  unreadable(): RevisionRecord[] {
    return this.#spans.filter(isUnreadable).map(({ record }) => record);
  }

  #spanAt(atMs: number): Span | null {
    const span = this.#spans[this.#placeOf(atMs)];
    return span === undefined || atMs >= span.untilMs ? null : span;
  }

  /** The place of the last span that begins at or before the instant, or -1. */
  #placeOf(atMs: number): number {
    return firstPlace(this.#spans, ({ fromMs }) => fromMs > atMs) - 1;
  }
}

function isUnreadable(span: Span): boolean {
  sourceOf(span);
  return !span.isReadable;
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

/** The ticks that a job's cursors owe. */
export interface NamedBySlot {
  /** Those of all revisions. */
  readonly all: NamedTicks;
  /** Some revision was of a kind whose slots share one cursor. */
  readonly hasShared: boolean;
  /** Those that slots with a node's name owe from when they were made, or with '' those without. */
  of(nodeName: string): NamedTicks;
  /**
   * The terms that surely decided what came after a launch that ended then; null: the job was
   * paused or removed, or was changed at about that time.
   */
  termsAt(endedMs: number): RevisionTerms | null;
}

/**
 * Deals the revisions of a job over its cursors. While it ran on every node each node's slot owed
 * every tick, at other times the job did, and beside it each node that runs every tick itself. What
 * cannot be read may have been of either kind.
 */
export function nameBySlot(revisions: readonly RevisionRecord[]): NamedBySlot {
  const isOfEvery = ({ definition }: RevisionRecord) => definition?.kind === 'every-node';
  const all = new NamedTicks(revisions);
  const termsAt = (endedMs: number) => findTerms(revisions, endedMs);
  if (!revisions.some(isOfEvery)) return { all, hasShared: true, of: () => all, termsAt };
  const sharing = revisions.filter((revision) => !isOfEvery(revision));
  const shared = new NamedTicks(sharing);
  return {
    all,
    hasShared: sharing.length > 0,
    of: (nodeName) => (nodeName === '' ? shared : all),
    termsAt,
  };
}

/** A change may be in force only after ticks that were dealt with ahead of it. */
const putOffMsMax = 60_000;

function findTerms(revisions: readonly RevisionRecord[], endedMs: number): RevisionTerms | null {
  const place = firstPlace(revisions, ({ fromMs }) => fromMs >= endedMs);
  const [revision, next] = [revisions[place - 1], revisions[place]];
  if (revision === undefined || revision.isPaused || revision.definition?.observed) return null;
  const endMs = Math.min(next?.fromMs ?? Infinity, revision.untilMs ?? Infinity);
  return endMs > endedMs + putOffMsMax ? revision.definition : null;
}
