import type { JobPolicies } from '../job/jobPolicies.ts';
import { type Reason, reasons } from '../reasons/reasons.ts';
import { lastTickFrom, makeTickRange, type TickRange, type TickSource } from '../run/tickSource.ts';

type Overlap = JobPolicies['overlap'];

/** Whether a tick that comes while the job runs takes the place of that run. */
export function replacesRun(overlap: Overlap): overlap is 'replace' | 'terminate' {
  return overlap === 'replace' || overlap === 'terminate';
}

/** How a run gives way to the next tick; null: it goes on. Observed jobs' ticks start nothing. */
export function howRunGivesWay({
  observed,
  overlap,
}: Pick<JobPolicies, 'observed' | 'overlap'>): 'replace' | 'terminate' | null {
  return observed !== true && replacesRun(overlap) ? overlap : null;
}

/** How many ticks of a job may wait for its run to end; later ones are skipped. */
export function waitingMax(overlap: Overlap): number {
  if (overlap === 'queue') return 1;
  return overlap === 'queue-all' ? queueAllMax : 0;
}

/** A job that never catches up must not fill the database with launches that wait. */
const queueAllMax = 1_000;

/** Why a tick does not wait that would be one too many. */
export function whyNotQueued(overlap: Overlap): Reason {
  return overlap === 'queue' ? reasons.oneWaits : reasons.queueIsFull;
}

interface Passed {
  /** Ticks that are still to be launched, the oldest first. */
  readonly waiting: number[];
  readonly ranges: TickRange[];
}

/**
 * What becomes of the ticks from one on, up to an instant, which came due while the job's last
 * launch had its slot. `queued`: how many wait already.
 */
export function passOverlapped(
  ticks: TickSource,
  fromMs: number,
  endMs: number,
  overlap: Overlap,
  queued = 0,
): Passed {
  const untilMs = lastTickFrom(ticks, fromMs, endMs);
  switch (overlap) {
    case undefined: {
      const range = makeTickRange('skipped', ticks, fromMs, untilMs, reasons.stillGoing);
      return { waiting: [], ranges: [range] };
    }
    case 'replace':
    case 'terminate': {
      if (fromMs === untilMs) return { waiting: [untilMs], ranges: [] };
      const beforeMs = lastTickFrom(ticks, fromMs, untilMs - 1);
      const range = makeTickRange('skipped', ticks, fromMs, beforeMs, reasons.laterTick);
      return { waiting: [untilMs], ranges: [range] };
    }
    case 'queue':
    case 'queue-all': {
      const room = waitingMax(overlap) - queued;
      const waiting: number[] = [];
      let tickMs: number | null = fromMs;
      while (tickMs !== null && tickMs <= untilMs && waiting.length < room) {
        waiting.push(tickMs);
        tickMs = ticks.next(tickMs);
      }
      if (tickMs === null || tickMs > untilMs) return { waiting, ranges: [] };
      const range = makeTickRange('skipped', ticks, tickMs, untilMs, whyNotQueued(overlap));
      return { waiting, ranges: [range] };
    }
  }
}
