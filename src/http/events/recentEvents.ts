import type { StreamEvent } from './streamEvent.ts';

const eventsMax = 2_000;

/** The last events that were told, for clients that read the history up to a mark meanwhile. */
export class RecentEvents {
  #count = 0;
  #events: readonly StreamEvent[] = [];

  /** How many there were so far. */
  get count(): number {
    return this.#count;
  }

  add(events: readonly StreamEvent[]): void {
    this.#count += events.length;
    this.#events = [...this.#events, ...events].slice(-eventsMax);
  }

  /** Those after the first `count`; null: more than are remembered. */
  since(count: number): readonly StreamEvent[] | null {
    const wanted = this.#count - count;
    if (wanted > this.#events.length) return null;
    return wanted === 0 ? [] : this.#events.slice(-wanted);
  }
}
