import { instantText } from '../rules/finding.ts';
import { forgetOldest, JobCheck } from '../rules/jobCheck.ts';
import { runLabel } from '../rules/records.ts';
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
  readonly #lastTicks = new Map<string, number>();

  /** One that has not started. */
  takeWaiting({ trigger, scheduledForMs, requestId }: Backfilled): void {
    const { nowMs, clockSlackMs } = this.scope;
    if (trigger !== 'backfill' || scheduledForMs <= nowMs + clockSlackMs) return;
    const waits = `backfill ${requestId} waits for ${instantText(scheduledForMs)}`;
    this.report('backfill_ahead', `${waits}, which is to come`, { tickMs: scheduledForMs });
  }

  /** Of a job that runs one at a time, in the order of their ends. */
  takeStarted(launch: StartedLaunch): void {
    const { trigger, requestId, nodeName, scheduledForMs: tickMs } = launch;
    if (trigger !== 'backfill') return;
    const key = `${nodeName}:${requestId}`;
    const lastMs = this.#lastTicks.get(key) ?? -Infinity;
    if (tickMs < lastMs) {
      const started = `${runLabel(launch)} of ${instantText(tickMs)} started after the one of`;
      const message = `${started} ${instantText(lastMs)}, both of backfill ${requestId}`;
      this.reportLaunch('backfill_order', message, launch);
    }
    this.#lastTicks.delete(key);
    this.#lastTicks.set(key, Math.max(tickMs, lastMs));
    forgetOldest(this.#lastTicks, requestsMax);
  }
}

const requestsMax = 1_000;
