import { type FindingLog, instantText } from './finding.ts';
import { type JobRecord, runLabel } from './records.ts';
import type { StartedLaunch } from './startedRuns.ts';

/** A launch of a backfill that waits, is held, or was started. */
interface Backfilled {
  readonly trigger: string | null;
  readonly requestId: string | null;
  readonly scheduledForMs: number;
}

/**
 * The launches of a job's backfills: none of a tick to come, and those of one request started in
 * the order of their ticks where one runs after the other. Remembered is one tick for each of the
 * last so many requests.
 */
export class Backfills {
  readonly #job: JobRecord;
  readonly #nowMs: number;
  readonly #log: FindingLog;
  readonly #lastTicks = new Map<string, number>();

  constructor(job: JobRecord, nowMs: number, log: FindingLog) {
    this.#job = job;
    this.#nowMs = nowMs;
    this.#log = log;
  }

  /** One that has not started. */
  takeWaiting({ trigger, scheduledForMs: tickMs, requestId }: Backfilled): void {
    if (trigger !== 'backfill' || tickMs <= this.#nowMs) return;
    const message = `backfill ${requestId} waits for ${instantText(tickMs)}, which is to come`;
    this.#log.add('backfill_ahead', this.#job.name, message, { tickMs });
  }

  /** Of a job that runs one at a time, in the order of their ends. */
  takeStarted(launch: StartedLaunch): void {
    const { trigger, requestId, nodeName, scheduledForMs: tickMs, launchId } = launch;
    if (trigger !== 'backfill') return;
    const key = `${nodeName}:${requestId}`;
    const lastMs = this.#lastTicks.get(key) ?? Number.NEGATIVE_INFINITY;
    if (tickMs < lastMs) {
      const message = `${runLabel(launch)} of ${instantText(tickMs)} started after the one of`;
      const told = `${message} ${instantText(lastMs)}, both of backfill ${requestId}`;
      this.#log.add('backfill_order', this.#job.name, told, { tickMs, launchId });
    }
    this.#lastTicks.delete(key);
    this.#lastTicks.set(key, Math.max(tickMs, lastMs));
    if (this.#lastTicks.size <= requestsMax) return;
    for (const oldest of this.#lastTicks.keys()) {
      this.#lastTicks.delete(oldest);
      break;
    }
  }
}

const requestsMax = 1_000;
