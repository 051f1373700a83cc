import type { Appointment, Timeline } from '../timeline.ts';
import { DatabaseError } from './databaseError.ts';

/** A lock row by its number, or a session's row by its id. */
export type LockKey = number | string;

interface Waiter {
  readonly key: LockKey;
  readonly owner: object;
  readonly grant: () => void;
  readonly refuse: (error: Error) => void;
  readonly timeout: Appointment;
}

/** The row locks of the memory database: exclusive, first come first served, waits bounded. */
export class LockTable {
  readonly #timeline: Timeline;
  readonly #owners = new Map<LockKey, object>();
  readonly #held = new Map<object, Set<LockKey>>();
  readonly #waiters = new Map<LockKey, Waiter[]>();
  /** A connection waits for one thing at a time. */
  readonly #waiting = new Map<object, Waiter>();

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  /** Takes those that are free, without waiting, and returns which. */
  takeFree(owner: object, keys: readonly LockKey[]): LockKey[] {
    const free = keys.filter((key) => (this.#owners.get(key) ?? owner) === owner);
    for (const key of free) this.#give(owner, key);
    return free;
  }

  /** Takes one, waiting at most so long; rejects with 1205 after that. */
  take(owner: object, key: LockKey, waitMs: number): Promise<void> | undefined {
    if (this.takeFree(owner, [key]).length === 1) return undefined;
    return new Promise((resolve, reject) => {
      const waiters = this.#waiters.get(key) ?? [];
      this.#waiters.set(key, waiters);
      const timeout = this.#timeline.after(waitMs, () => {
        this.#forget(waiter);
        reject(new DatabaseError('Lock wait timeout exceeded', 1205));
      });
      const waiter: Waiter = { key, owner, grant: resolve, refuse: reject, timeout };
      waiters.push(waiter);
      this.#waiting.set(owner, waiter);
    });
  }

  /** Gives back all that the owner has, and ends its waiting. */
  release(owner: object): void {
    const waiter = this.#waiting.get(owner);
    if (waiter !== undefined) {
      this.#forget(waiter);
      waiter.timeout.cancel();
      waiter.refuse(new DatabaseError('the connection was closed while it waited'));
    }
    const held = this.#held.get(owner);
    this.#held.delete(owner);
    for (const key of held ?? []) {
      this.#owners.delete(key);
      const [next] = this.#waiters.get(key) ?? [];
      if (next === undefined) continue;
      this.#forget(next);
      next.timeout.cancel();
      this.#give(next.owner, key);
      next.grant();
    }
  }

  #forget(waiter: Waiter): void {
    this.#waiting.delete(waiter.owner);
    const left = (this.#waiters.get(waiter.key) ?? []).filter((each) => each !== waiter);
    if (left.length > 0) this.#waiters.set(waiter.key, left);
    else this.#waiters.delete(waiter.key);
  }

  #give(owner: object, key: LockKey): void {
    this.#owners.set(key, owner);
    const held = this.#held.get(owner);
    if (held === undefined) this.#held.set(owner, new Set([key]));
    else held.add(key);
  }
}
