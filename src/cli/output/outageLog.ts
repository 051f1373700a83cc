import { databaseFault } from '../../store/connection/databaseFault.ts';
import type { NodeLog } from './nodeLog.ts';

/** What waited no longer than that was not held up. */
const waitedMsMin = 1_000;
/** So long after its return what had waited is recorded, or nearly all. */
const settleMs = 2_000;

/**
 * One line of a node's log when the database goes, and one when it is back: for how long there was
 * no answer, and what was recorded since. In between its actors fail for no other reason.
 */
export class OutageLog {
  readonly #log: NodeLog;
  readonly #nowMs: () => number;
  #answeredMs: number;
  #isAway = false;
  /** It is back: since when, after how long; null: the log has that. */
  #back: { readonly sinceMs: number; readonly awayMs: number } | null = null;
  #recorded = 0;

  constructor(log: NodeLog, nowMs: () => number = () => performance.now()) {
    this.#log = log;
    this.#nowMs = nowMs;
    this.#answeredMs = nowMs();
  }

  /** True: something failed since the database is away, which the log has. */
  failed(error: unknown): boolean {
    const fault = databaseFault(error);
    if (fault?.code !== 'database_away') return false;
    if (this.#isAway) return true;
    this.#isAway = true;
    const { code, message } = error as NodeJS.ErrnoException;
    this.#log.warn(
      `the database does not answer (${message || code}): ` +
        'runs go on, and results wait here until it is back',
    );
    return true;
  }

  /** The database confirmed a renewal. */
  answered(): void {
    const nowMs = this.#nowMs();
    if (this.#isAway) this.#back = { sinceMs: nowMs, awayMs: nowMs - this.#answeredMs };
    else if (this.#back !== null && nowMs - this.#back.sinceMs >= settleMs)
      this.#logReturn(this.#back);
    this.#isAway = false;
    this.#answeredMs = nowMs;
  }

  /** A run's result was recorded so long after its end. */
  recorded(waitedMs: number): void {
    if (waitedMs >= waitedMsMin && (this.#isAway || this.#back !== null)) this.#recorded += 1;
  }

  #logReturn({ awayMs }: { readonly awayMs: number }): void {
    const count = this.#recorded;
    const results = count === 1 ? '1 result that waited was' : `${count} results that waited were`;
    const recorded = count === 0 ? 'no result waited' : `${results} recorded`;
    const seconds = Math.round(awayMs / 1_000);
    this.#log.info(`the database is back: no answer for ${seconds} s, ${recorded}`);
    this.#back = null;
    this.#recorded = 0;
  }
}
