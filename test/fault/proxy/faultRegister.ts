import type { ArmedFault, FaultRequest } from './statementFault.ts';

/** A fault that met its statement: whoever holds the connection does it and says so. */
export interface MetFault {
  readonly request: FaultRequest;
  /** It was done; a delayed thing is held. `release` lets that go. */
  done(release?: () => void): void;
  /** Nothing more comes of it. */
  settle(): void;
}

/** The faults of one proxy that wait for their statements. */
export class FaultRegister {
  readonly #waiting = new Set<WaitingFault>();
  /** Those that were met and hold something, so that `clear` can let it go. */
  readonly #held = new Set<WaitingFault>();

  arm(request: FaultRequest): ArmedFault {
    const fault = new WaitingFault(request, () => {
      this.#waiting.delete(fault);
      this.#held.delete(fault);
    });
    this.#waiting.add(fault);
    return fault;
  }

  /** The oldest fault that waits for this statement; it waits no longer. */
  meet(request: Buffer): MetFault | null {
    for (const fault of this.#waiting) {
      if (!fault.matches(request)) continue;
      this.#waiting.delete(fault);
      this.#held.add(fault);
      return fault;
    }
    return null;
  }

  /** Nothing waits any more, and what is held goes on its way. */
  clear(): void {
    for (const fault of this.#waiting) fault.cancel();
    for (const fault of this.#held) fault.release();
  }
}

class WaitingFault implements ArmedFault, MetFault {
  readonly request: FaultRequest;
  readonly hit: Promise<boolean>;
  readonly settled: Promise<void>;
  readonly #forget: () => void;
  #passed = 0;
  #met = false;
  #resolveHit: (wasHit: boolean) => void = () => undefined;
  #resolveSettled: () => void = () => undefined;
  #letGo: () => void = () => undefined;

  constructor(request: FaultRequest, forget: () => void) {
    this.request = request;
    this.#forget = forget;
    this.hit = new Promise((resolve) => {
      this.#resolveHit = resolve;
    });
    this.settled = new Promise((resolve) => {
      this.#resolveSettled = resolve;
    });
  }

  matches(statement: Buffer): boolean {
    if (!statement.includes(this.request.statement)) return false;
    this.#passed += 1;
    this.#met = this.#passed > (this.request.skip ?? 0);
    return this.#met;
  }

  done(release: () => void = () => undefined): void {
    this.#letGo = release;
    this.#resolveHit(true);
  }

  settle(): void {
    this.#forget();
    this.#resolveHit(true); // a connection may end before the fault was done to it
    this.#resolveSettled();
  }

  release(): void {
    this.#letGo();
  }

  cancel(): void {
    if (this.#met) return;
    this.#forget();
    this.#resolveHit(false);
    this.#resolveSettled();
  }
}
