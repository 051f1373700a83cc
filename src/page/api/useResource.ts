import { type Signal, signal, useComputed } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Batch } from '../live/eventPump.ts';
import { onBatch, stream } from '../live/liveFeed.ts';
import { isFrozen } from '../state/clock.ts';
import { keptHere } from '../state/kept.ts';
import { ApiProblem } from './apiProblem.ts';

/** Something that is read by the API, and read again when it may have changed. */
export interface Resource<T> {
  /** Null: not read yet. What was read stays when it cannot be read again. */
  readonly data: Signal<T | null>;
  /** Why it could not be read, the last time. */
  readonly problem: Signal<ApiProblem | null>;
  /** Reads it again now. */
  reload(): void;
}

export interface ResourceOptions<T> {
  /** Reads it; `before` is what was read the last time. */
  read(signal: AbortSignal, before: T | null): Promise<T>;
  /** Whether something that happened changes it; without, it is read again every `everyMs`. */
  isAbout?(event: Batch['events'][number]): boolean;
  /** It is read again so often even when nothing says so (30 s); null: it does not change. */
  readonly everyMs?: number | null;
  /** Who comes back to it sees at once what was read, until it is read again. */
  readonly isKept?: true;
}

/**
 * However much happens, it is read so often at most: after this, twice that each time where
 * something goes on happening, and four times as long as it takes.
 */
const pauseMs = { least: 1_000, most: 8_000 } as const;
/** So many reads in a row have the least pause: what somebody has done is followed to its end. */
const closeReads = 6;
/** After so long without anything, what happens is no more of what happened before. */
const quietMs = 4_000;
const pausesOfDuration = 4;
const retryMs = 3_000;

/** @param key what it is of: when it changes, something else is read */
export function useResource<T>(key: string, options: ResourceOptions<T>): Resource<T> {
  const latest = useRef(options);
  latest.current = options;
  const held = useMemo(() => new Held<T>(key, latest), [key]);
  useEffect(() => held.start(), [held]);
  const isBack = useComputed(() => stream.value.state === 'live' && !isFrozen.value);
  useEffect(() => isBack.subscribe((is) => is && held.soon()), [held, isBack]);
  return held;
}

class Held<T> implements Resource<T> {
  readonly data: Signal<T | null>;
  readonly problem = signal<ApiProblem | null>(null);
  readonly #options: { current: ResourceOptions<T> };
  #reading: AbortController | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #dueAtMs = Number.POSITIVE_INFINITY;
  #happenedMs = 0;
  #endedMs = 0;
  #tookMs = 0;
  #readsInRow = 0;
  /** Something happened while it was being read. */
  #isPast = false;

  constructor(key: string, options: { current: ResourceOptions<T> }) {
    this.#options = options;
    const make = () => signal<T | null>(null);
    this.data = options.current.isKept ? keptHere(key, make) : make();
  }

  start(): () => void {
    const leave = onBatch(({ events, leftOut }) => {
      const { isAbout } = this.#options.current;
      if (isAbout !== undefined && (leftOut > 0 || events.some(isAbout))) this.soon();
    });
    const onShow = () => document.hidden || this.soon();
    document.addEventListener('visibilitychange', onShow);
    this.reload();
    return () => {
      leave();
      document.removeEventListener('visibilitychange', onShow);
      clearTimeout(this.#timer);
      this.#reading?.abort();
    };
  }

  reload(): void {
    this.#readsInRow = 0;
    void this.#read(true);
  }

  /** Reads it again, but not more often than it may be. */
  soon(): void {
    // What never changes is read once.
    const { everyMs, isAbout } = this.#options.current;
    const isFixed = everyMs === null && isAbout === undefined;
    if (isFixed && (this.data.value !== null || this.#reading !== null)) return;
    const nowMs = Date.now();
    if (nowMs - this.#happenedMs > quietMs) this.#readsInRow = 0;
    this.#happenedMs = nowMs;
    if (this.#reading !== null) this.#isPast = true;
    else this.#readAt(Math.max(nowMs, this.#earliestMs));
  }

  get #earliestMs(): number {
    const doublings = Math.max(0, this.#readsInRow - closeReads);
    const restMs = Math.min(pauseMs.most, pauseMs.least * 2 ** doublings);
    return this.#endedMs + Math.max(restMs, pausesOfDuration * this.#tookMs);
  }

  #readAt(atMs: number): void {
    if (atMs >= this.#dueAtMs) return;
    this.#dueAtMs = atMs;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#read(), atMs - Date.now());
  }

  /** @param isAsked by the reader, or for the first time */
  async #read(isAsked = false): Promise<void> {
    clearTimeout(this.#timer);
    this.#dueAtMs = Number.POSITIVE_INFINITY;
    // What is frozen or hidden is read when it can be seen again.
    const isSeen = !isFrozen.value && !document.hidden;
    if (!isSeen && !isAsked && this.data.value !== null) return;
    this.#reading?.abort();
    const reading = new AbortController();
    this.#reading = reading;
    this.#isPast = false;
    const beganMs = Date.now();
    try {
      const read = await this.#options.current.read(reading.signal, this.data.value);
      if (reading.signal.aborted) return;
      this.data.value = read;
      this.problem.value = null;
    } catch (error) {
      if (reading.signal.aborted) return;
      if (!(error instanceof ApiProblem)) throw error;
      this.problem.value = error;
    }
    this.#reading = null;
    this.#readsInRow += 1;
    this.#endedMs = Date.now();
    this.#tookMs = this.#endedMs - beganMs;
    const { everyMs = 30_000 } = this.#options.current;
    const problem = this.problem.value;
    if (this.#isPast) this.#readAt(this.#earliestMs);
    if (problem?.isPassing) this.#readAt(Date.now() + (problem.retryAfterMs ?? retryMs));
    else if (problem === null && everyMs !== null) this.#readAt(Date.now() + everyMs);
  }
}
