import { type FindingLog, instantText } from '../rules/finding.ts';
import { forgetOldest, JobCheck } from '../rules/jobCheck.ts';
import { type JobRecord, runLabel } from '../rules/records.ts';
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
export class Backfills extends JobCheck {
  readonly #nowMs: number;
  readonly #lastTicks = new Map<string, number>();

  constructor(job: JobRecord, nowMs: number, clockSlackMs: number, log: FindingLog) {
    super(job, clockSlackMs, log);
    this.#nowMs = nowMs;
  }

  /** One that has not started. */
  takeWaiting({ trigger, scheduledForMs, requestId }: Backfilled): void {
    if (trigger !== 'backfill' || scheduledForMs <= this.#nowMs + this.clockSlackMs) return;
    const tick = instantText(scheduledForMs);
    this.say('backfill_ahead', `backfill ${requestId} waits for ${tick}, which is to come`, {
      scheduledForMs,
    });
  }

  /** Of a job that runs one at a time, in the order of their ends. */
  takeStarted(launch: StartedLaunch): void {
    const { trigger, requestId, nodeName, scheduledForMs: tickMs } = launch;
    if (trigger !== 'backfill') return;
    const key = `${nodeName}:${requestId}`;
    const lastMs = this.#lastTicks.get(key) ?? Number.NEGATIVE_INFINITY;
    if (tickMs < lastMs) {
      const message = `${runLabel(launch)} of ${instantText(tickMs)} started after the one of`;
      const both = `${instantText(lastMs)}, both of backfill ${requestId}`;
      this.say('backfill_order', `${message} ${both}`, launch);
    }
    this.#lastTicks.delete(key);
    this.#lastTicks.set(key, Math.max(tickMs, lastMs));
    forgetOldest(this.#lastTicks, requestsMax);
  }
}

const requestsMax = 1_000;
