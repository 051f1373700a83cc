import type { Socket } from 'node:net';
import type { Direction, Weather } from './weather.ts';

const queuedBytesMax = 1024 * 1024;
/** Throttled bytes go in portions, so that slow is not the same as late. */
const portionMs = 20;

/**
 * One direction of one connection: what is written into it arrives at the socket in its order, as
 * late, as slowly, or not at all, as the weather says. The end of the connection queues like the
 * rest.
 */
export class Lane {
  readonly #direction: Exclude<Direction, 'both'>;
  readonly #target: Socket;
  readonly #weather: Weather;
  readonly #onSpace: () => void;
  #queue: { bytes: Buffer; dueMs: number }[] = [];
  #queuedBytes = 0;
  #ends = false;
  #silent = false;
  #timer: NodeJS.Timeout | null = null;
  #allowance = 0;
  #allowedAtMs = 0;

  constructor(
    direction: Exclude<Direction, 'both'>,
    target: Socket,
    weather: Weather,
    onSpace: () => void,
  ) {
    this.#direction = direction;
    this.#target = target;
    this.#weather = weather;
    this.#onSpace = onSpace;
    target.on('drain', () => this.pump());
  }

  write(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#queue.push({ bytes, dueMs: performance.now() + this.#weather.delayMs });
    this.#queuedBytes += bytes.length;
    this.pump();
  }

  /** Tells the receiver the end of the stream, after everything that was written. */
  end(): void {
    this.#ends = true;
    this.pump();
  }

  /** From now on nothing passes, whatever the weather. */
  silence(): void {
    this.#silent = true;
  }

  /** Who writes should wait. */
  get isFull(): boolean {
    return this.#queuedBytes + this.#target.writableLength > queuedBytesMax;
  }

  /** The sender's socket is not to be read, else an end would be noticed that could not pass. */
  get isHeld(): boolean {
    return this.#silent || this.#weather.holds(this.#direction);
  }

  /** Sends on what may go now, and sees to it that the rest goes later. */
  pump(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.isHeld || this.#target.destroyed) return;
    const wasFull = this.isFull;
    for (let waitMs = this.#sendFirst(); ; waitMs = this.#sendFirst()) {
      if (waitMs === null) break;
      if (waitMs === 0) continue;
      this.#timer = setTimeout(() => this.pump(), waitMs);
      break;
    }
    if (this.#queue.length === 0 && this.#ends && !this.#target.writableEnded) this.#target.end();
    if (wasFull && !this.isFull) this.#onSpace();
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#queue = [];
    this.#queuedBytes = 0;
  }

  /** Sends of the first in the queue; resolves to how long the next has to wait, null: no next. */
  #sendFirst(): number | null {
    const first = this.#queue[0];
    if (first === undefined || this.#target.writableNeedDrain) return null; // 'drain' pumps again
    const nowMs = performance.now();
    if (first.dueMs > nowMs) return Math.ceil(first.dueMs - nowMs);
    const bytes = Math.min(first.bytes.length, this.#allowedBytes(nowMs));
    if (bytes === 0) return portionMs;
    if (this.#weather.bytesPerSecond > 0) this.#allowance -= bytes;
    this.#queuedBytes -= bytes;
    this.#target.write(first.bytes.subarray(0, bytes));
    if (bytes === first.bytes.length) this.#queue.shift();
    else this.#queue[0] = { ...first, bytes: first.bytes.subarray(bytes) };
    return 0;
  }

  #allowedBytes(nowMs: number): number {
    const { bytesPerSecond } = this.#weather;
    if (bytesPerSecond === 0) return Number.POSITIVE_INFINITY;
    // An idle time gives no credit beyond one portion.
    const sinceMs = Math.min(nowMs - this.#allowedAtMs, portionMs * 2);
    const portion = Math.max(1, (bytesPerSecond * portionMs * 2) / 1000);
    this.#allowance = Math.min(portion, this.#allowance + (bytesPerSecond * sinceMs) / 1000);
    this.#allowedAtMs = nowMs;
    return Math.floor(this.#allowance);
  }
}
