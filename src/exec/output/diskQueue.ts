/** After so long without an answer a disk counts as stuck. */
const stuckMs = 5_000;

/**
 * One operation on files at a time. All threads of a process share four that wait for disks, and a
 * disk that hangs, e.g. one of another machine, must not keep all of them from everybody else.
 */
export class DiskQueue {
  readonly #nowMs: () => number;
  #last: Promise<unknown> = Promise.resolve();
  #beganMs: number | null = null;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Whether the operation under way has had no answer for long: the next one need not wait. */
  get isStuck(): boolean {
    return this.#beganMs !== null && this.#nowMs() - this.#beganMs > stuckMs;
  }

  run<T>(operation: () => Promise<T>): Promise<T> {
    const done = this.#last.then(async () => {
      this.#beganMs = this.#nowMs();
      try {
        return await operation();
      } finally {
        this.#beganMs = null;
      }
    });
    this.#last = done.catch(() => undefined); // it is its caller's to handle
    return done;
  }
}
