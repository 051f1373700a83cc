import { joinReasons, reasons } from '../../domain/reasons/reasons.ts';
import type { LateResult, ResultSpool } from '../../domain/run/lateResult.ts';
import type { Execution } from '../../domain/run/run.ts';
import type { ActorClock } from './slicedClock.ts';

interface KeeperParts {
  readonly spool: ResultSpool;
  readonly clock: ActorClock;
  readonly monotonicNowMs: () => number;
  /** A renewal of the session is unanswered, so this process may come to the end of its lease. */
  readonly isRenewalUnanswered: () => boolean;
  readonly trouble: (what: string, error: unknown) => void;
}

interface Held {
  readonly result: LateResult;
  readonly sinceMs: number;
  state: 'memory' | 'writing' | 'spooled';
  /** There is, or may be, a file of it. */
  hasFile: boolean;
  isReleased: boolean;
  /** How often it could not be written. */
  failures: number;
  /** Not tried again before. */
  notBeforeMs: number;
}

/**
 * A finish that is acknowledged within this time is not written to a disk, unless a renewal is
 * unanswered or this process is to end.
 */
const patienceMs = 1_000;
const lookPeriodMs = 250;
/** Doubled with each failure, up to the other. */
const retryPauseMsMin = 250;
const retryPauseMsMax = 5_000;
/** At once; a spool on a slow disk must not take all of libuv's threads. */
const writesMax = 2;
/** Outputs of results that nobody has acknowledged, together. */
const outputBytesMax = 256 * 1024 * 1024;

/**
 * Holds results until the database has acknowledged them. What waits for more than a second is
 * written to the spool too, and at once what comes while the database is out of contact: a process
 * that is killed at the end of its lease has handed over what it knew. When the spool cannot be
 * written the result stays in memory, and both finish and spool are tried on.
 */
export class ResultKeeper {
  readonly #parts: KeeperParts;
  readonly #held = new Map<string, Held>();
  readonly #writes = new Set<Promise<void>>();
  #outputBytes = 0;
  #timer: unknown = null;
  #isClosing = false;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
  }

  /** The execution, without its output when more is held already than memory should take. */
  admit(execution: Execution): Execution {
    const bytes = execution.output.byteLength;
    if (this.#outputBytes + bytes <= outputBytesMax) return execution;
    const reason = joinReasons(execution.reason, reasons.outputDropped(bytes));
    return { ...execution, output: new Uint8Array(0), reason };
  }

  /** Holds a result until it is released. `hasFile`: somebody else may have spooled it already. */
  hold(result: LateResult, hasFile = false): void {
    if (this.#held.has(result.launchId)) return;
    const held: Held = {
      result,
      sinceMs: this.#parts.monotonicNowMs(),
      state: 'memory',
      hasFile,
      isReleased: false,
      failures: 0,
      notBeforeMs: 0,
    };
    this.#held.set(result.launchId, held);
    this.#outputBytes += result.execution.output.byteLength;
    const isDueNow = this.#writes.size < writesMax && this.#parts.isRenewalUnanswered();
    if (this.#isClosing || isDueNow) this.#write(held);
    this.#arm();
  }

  /** The database has it, or another process has spoken for it: nothing of it is kept. */
  release(launchId: string): void {
    const held = this.#held.get(launchId);
    if (held === undefined) return;
    this.#held.delete(launchId);
    this.#outputBytes -= held.result.execution.output.byteLength;
    held.isReleased = true;
    if (held.hasFile && held.state !== 'writing') this.#remove(launchId);
  }

  /**
   * Writes all that is held, and again what could not be written, because this process will not go
   * on. Resolves when nothing is in memory alone, which may be never; rejects never.
   */
  async flush(): Promise<void> {
    this.#isClosing = true;
    const { clock } = this.#parts;
    for (;;) {
      const inMemory = [...this.#held.values()].filter(({ state }) => state === 'memory');
      for (const held of inMemory) this.#write(held);
      if (this.#writes.size === 0) return;
      await Promise.all(this.#writes);
      if (inMemory.every(({ state }) => state !== 'memory')) continue;
      await new Promise<void>((resolve) => clock.setTimeout(resolve, retryPauseMsMin));
    }
  }

  #arm(): void {
    if (this.#timer !== null || this.#isClosing) return;
    this.#timer = this.#parts.clock.setTimeout(() => {
      this.#timer = null;
      this.#writeWaiting();
      if (this.#held.size > 0) this.#arm();
    }, lookPeriodMs);
  }

  #writeWaiting(): void {
    const nowMs = this.#parts.monotonicNowMs();
    const leastMs = this.#parts.isRenewalUnanswered() ? 0 : patienceMs;
    for (const held of this.#held.values()) {
      if (this.#writes.size >= writesMax) return;
      const isDue = nowMs - held.sinceMs >= leastMs && nowMs >= held.notBeforeMs;
      if (held.state === 'memory' && isDue) this.#write(held);
    }
  }

  #write(held: Held): void {
    held.state = 'writing';
    const write = this.#parts.spool.write(held.result).then(
      () => {
        held.state = 'spooled';
        held.hasFile = true;
        if (held.isReleased) this.#remove(held.result.launchId);
      },
      (error: unknown) => {
        held.state = 'memory';
        const pauseMs = Math.min(retryPauseMsMin * 2 ** held.failures, retryPauseMsMax);
        held.notBeforeMs = this.#parts.monotonicNowMs() + pauseMs;
        held.failures += 1;
        if (held.isReleased && held.hasFile) this.#remove(held.result.launchId);
        if (held.failures > 1) return; // it has been reported
        this.#parts.trouble('a result could not be spooled and is kept in memory alone', error);
      },
    );
    const settled = write.then(() => {
      this.#writes.delete(settled);
      this.#writeWaiting();
    });
    this.#writes.add(settled);
  }

  #remove(launchId: string): void {
    this.#parts.spool.remove(launchId).catch((error: unknown) => {
      // The next process finds that its result is recorded, and removes it.
      this.#parts.trouble('a spooled result could not be removed', error);
    });
  }
}
