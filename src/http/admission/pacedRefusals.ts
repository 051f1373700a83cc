import { setTimeout as sleep } from 'node:timers/promises';

/** So many refusals are answered at once, then one more each period. */
const atOnce = 50;
const periodMs = 2;

/**
 * Holds refusals back when there are hundreds of them, and answers one after the other. Clients
 * that were refused together come again together, however long they wait, and Node takes whatever
 * has arrived in one turn of the event loop: 900 new connections stop it for 50 to 70 ms each time.
 * Answered 2 ms apart they come again 2 ms apart. How many wait is bounded by the connections.
 */
export class PacedRefusals {
  readonly #nowMs: () => number;
  #nextMs = Number.NEGATIVE_INFINITY;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Counts one more. Returns for how long it is to be held back, in milliseconds. */
  take(): number {
    const nowMs = this.#nowMs();
    this.#nextMs = Math.max(this.#nextMs + periodMs, nowMs - atOnce * periodMs);
    return Math.max(0, this.#nextMs - nowMs);
  }

  /** Resolves when one more refusal may be answered. */
  async turn(): Promise<void> {
    const waitMs = this.take();
    if (waitMs > 0) await sleep(waitMs);
  }
}
