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

/**
 * How many rounds of the microtask queue follow each event. The longest chain of promises from an
 * answer of the store to the next question is about ten rounds long; what is left after that many
 * goes on after the next event, in the same order on every run. A real turn of the event loop for
 * each event would take several times as long.
 */
const roundsPerEvent = 14;

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
  async runUntil(endMs: number): Promise<void> {
    await rest();
    for (;;) {
      const next = this.#heap[0];
      if (next === undefined || next.atMs > endMs) break;
      this.#pop();
      if (next.fire === null) continue;
      this.#nowMs = next.atMs;
      this.events += 1;
      next.fire();
      await rest();
    }
    this.#nowMs = Math.max(this.#nowMs, endMs);
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

async function rest(): Promise<void> {
  for (let round = 0; round < roundsPerEvent; round += 1) await null;
}
