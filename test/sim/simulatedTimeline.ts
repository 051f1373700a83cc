import type { Appointment, Timeline } from './timeline.ts';

class Entry implements Appointment {
  readonly atMs: number;
  readonly order: number;
  fire: (() => void) | null;

  constructor(atMs: number, order: number, fire: () => void) {
    this.atMs = atMs;
    this.order = order;
    this.fire = fire;
  }

  cancel(): void {
    this.fire = null;
  }
}

const settled = Promise.resolve();

/** Virtual time: one heap of events in order of time, and of arrival within one instant. */
export class SimulatedTimeline implements Timeline {
  readonly #heap: Entry[] = [];
  #nowMs: number;
  #order = 0;
  /** How many events have happened. */
  events = 0;

  constructor(startMs: number) {
    this.#nowMs = startMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, fire: () => void): Appointment {
    this.#order += 1;
    const entry = new Entry(this.#nowMs + Math.max(0, delayMs), this.#order, fire);
    this.#push(entry);
    return entry;
  }

  /** Lets everything happen that is due until then, with all that follows from it. */
  runUntil(endMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const happen = (): void => {
        const next = this.#takeDue(endMs);
        if (next === null) {
          this.#nowMs = Math.max(this.#nowMs, endMs);
          resolve();
          return;
        }
        this.#nowMs = next.atMs;
        this.events += 1;
        try {
          next.fire?.();
          afterPromises(happen);
        } catch (error) {
          reject(error);
        }
      };
      afterPromises(happen);
    });
  }

  #takeDue(endMs: number): Entry | null {
    for (;;) {
      const next = this.#heap[0];
      if (next === undefined || next.atMs > endMs) return null;
      this.#pop();
      if (next.fire !== null) return next;
    }
  }

  #push(entry: Entry): void {
    const heap = this.#heap;
    let place = heap.length;
    heap.push(entry);
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (!isBefore(entry, heap[above] as Entry)) break;
      heap[place] = heap[above] as Entry;
      place = above;
    }
    heap[place] = entry;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop() as Entry;
    const size = heap.length;
    if (size === 0) return;
    let place = 0;
    for (;;) {
      let below = 2 * place + 1;
      if (below >= size) break;
      if (below + 1 < size && isBefore(heap[below + 1] as Entry, heap[below] as Entry)) below += 1;
      if (!isBefore(heap[below] as Entry, last)) break;
      heap[place] = heap[below] as Entry;
      place = below;
    }
    heap[place] = last;
  }
}

function isBefore(one: Entry, other: Entry): boolean {
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);
}

/**
 * Goes on when no promise has anything left to do: Node takes up what was put off to the next tick
 * only after all of them, and a real turn of its loop would take several times as long.
 */
function afterPromises(goOn: () => void): void {
  void settled.then(() => process.nextTick(goOn));
}
