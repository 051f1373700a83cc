import type { JobPolicies } from '../job/jobPolicies.ts';
import { type Reason, reasons } from '../reasons/reasons.ts';
import { makeTickRange, type TickRange, type TickSource } from '../run/tickSource.ts';

/** How many ticks of a job may wait for its run to end; later ones are skipped. */
export function waitingMax(overlap: JobPolicies['overlap']): number {
  if (overlap === 'queue') return 1;
  return overlap === 'queue-all' ? queueAllMax : 0;
}

/** A job that never catches up must not fill the database with launches that wait. */
const queueAllMax = 1_000;

interface Passed {
  /** Ticks that are still to be launched, the oldest first. */
  readonly waiting: number[];
  readonly ranges: TickRange[];
}

/**
 * What becomes of the ticks in [fromMs, untilMs], which came due while the job's last launch had
 * its slot. `room`: how many more may wait.
 */
export function passOverlapped(
  ticks: TickSource,
  { fromMs, untilMs }: { fromMs: number; untilMs: number },
  overlap: JobPolicies['overlap'],
  room: number,
): Passed {
  const skip = (firstMs: number, lastMs: number, reason: Reason): TickRange[] => [
    makeTickRange('skipped', ticks, { fromMs: firstMs, untilMs: lastMs }, reason),
  ];
  switch (overlap) {
    case undefined:
      return { waiting: [], ranges: skip(fromMs, untilMs, reasons.stillGoing) };
    case 'replace':
    case 'terminate': {
      const beforeMs = Math.max(fromMs, ticks.lastAtOrBefore(untilMs - 1) ?? fromMs);
      const ranges = fromMs === untilMs ? [] : skip(fromMs, beforeMs, reasons.laterTick);
      return { waiting: [untilMs], ranges };
    }
    case 'queue':
    case 'queue-all': {
      const waiting: number[] = [];
      let tickMs: number | null = fromMs;
      while (tickMs !== null && tickMs <= untilMs && waiting.length < room) {
        waiting.push(tickMs);
        tickMs = ticks.next(tickMs);
      }
      const isOver = tickMs === null || tickMs > untilMs;
      const reason = overlap === 'queue' ? reasons.oneWaits : reasons.queueIsFull;
      return { waiting, ranges: isOver ? [] : skip(tickMs as number, untilMs, reason) };
    }
  }
}
