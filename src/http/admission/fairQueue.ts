import { busy, tooManyRequests } from '../problems/retryLater.ts';

interface QueueBounds {
  /** What there is to do it with, e.g. connections: so many have their turn at once. */
  readonly atOnce: number;
  /** And so many of them for one key: of a token, or of an address. */
  readonly atOnceOfOne: number;
  /** So many of one key wait; one more is refused at once. */
  readonly waitingOfOne: number;
  readonly waitMsMax: number;
  /** What there is too much of, e.g. "requests with a body". */
  readonly what: string;
}

interface Waiter {
  readonly begin: () => void;
  readonly refuse: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * Shares a scarce resource fairly between keys: each key has its share, and those that wait are
 * served one key after the other, however many wait with the same key.
 */
export class FairQueue {
  readonly #bounds: QueueBounds;
  readonly #running = new Map<string, number>();
  /** The key whose turn is next stands first. */
  readonly #waiting = new Map<string, Waiter[]>();
  #atWork = 0;
  #isClosed = false;

  constructor(bounds: QueueBounds) {
    this.#bounds = bounds;
  }

  /**
   * Does `work` when it is the key's turn.
   * @param restMs how long the next of the key then waits, when one waits already, after work that
   * took so many milliseconds; neither the result nor another key waits for it
   * @throws RetryLater `too_many_requests` when too many of the key wait already, `busy` when
   * its turn does not come in time.
   */
  async run<T>(
    key: string,
    work: () => Promise<T>,
    restMs: (tookMs: number) => number = () => 0,
  ): Promise<T> {
    await this.#turn(key);
    const beganAt = performance.now();
    try {
      return await work();
    } finally {
      const rest = this.#waiting.has(key) ? restMs(performance.now() - beganAt) : 0;
      this.#atWork -= 1;
      if (rest > 0) {
        setTimeout(() => this.#leave(key), rest).unref();
        this.#startNext();
      } else this.#leave(key);
    }
  }

  /** Refuses all that wait, and whoever comes. */
  close(): void {
    this.#isClosed = true;
    for (const waiters of this.#waiting.values()) {
      for (const { refuse, timer } of waiters) {
        clearTimeout(timer);
        refuse(this.#late());
      }
    }
    this.#waiting.clear();
  }

  #turn(key: string): Promise<void> {
    const { waitingOfOne, waitMsMax, what } = this.#bounds;
    if (this.#isClosed) return Promise.reject(this.#late());
    const waiters = this.#waiting.get(key) ?? [];
    if (waiters.length === 0 && this.#hasRoom(key)) {
      this.#enter(key);
      return Promise.resolve();
    }
    if (waiters.length >= waitingOfOne) {
      return Promise.reject(tooManyRequests(`Too many ${what} wait for their turn already.`));
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#drop(key, waiter);
        reject(this.#late());
      }, waitMsMax);
      const waiter: Waiter = { begin: resolve, refuse: reject, timer };
      waiters.push(waiter);
      this.#waiting.set(key, waiters);
    });
  }

  #hasRoom(key: string): boolean {
    const { atOnce, atOnceOfOne } = this.#bounds;
    return this.#atWork < atOnce && (this.#running.get(key) ?? 0) < atOnceOfOne;
  }

  #enter(key: string): void {
    this.#atWork += 1;
    this.#running.set(key, (this.#running.get(key) ?? 0) + 1);
  }

  #leave(key: string): void {
    const left = (this.#running.get(key) ?? 1) - 1;
    if (left === 0) this.#running.delete(key);
    else this.#running.set(key, left);
    this.#startNext();
  }

  #startNext(): void {
    for (const [next, waiters] of this.#waiting) {
      const [waiter] = waiters;
      if (waiter === undefined || !this.#hasRoom(next)) continue;
      this.#drop(next, waiter);
      const others = this.#waiting.get(next);
      if (others !== undefined) {
        this.#waiting.delete(next);
        this.#waiting.set(next, others); // behind the other keys
      }
      clearTimeout(waiter.timer);
      this.#enter(next);
      waiter.begin();
      return;
    }
  }

  #drop(key: string, waiter: Waiter): void {
    const left = (this.#waiting.get(key) ?? []).filter((other) => other !== waiter);
    if (left.length === 0) this.#waiting.delete(key);
    else this.#waiting.set(key, left);
  }

  #late() {
    return busy(`This node has too many ${this.#bounds.what} at once.`);
  }
}
