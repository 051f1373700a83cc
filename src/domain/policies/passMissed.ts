import type { JobPolicies } from '../job/jobPolicies.ts';
import { type Reason, reasons } from '../reasons/reasons.ts';
import { lastTickFrom, makeTickRange, type TickRange, type TickSource } from '../run/tickSource.ts';

/**
 * A tick that is late by no more was not missed, unless the job's own catch-up says less: so long a
 * node may take over its launch.
 */
export const onTimeMsMax = 10_000;

/** How far back `all` makes up, unless the job says otherwise. */
export const catchUpAllMs = 3_600_000;

interface PassedMissed {
  /** The last tick up to now: the cursor goes on after it. */
  readonly lastMs: number;
  /** The last tick is launched; false: it is in a range with the others. */
  readonly isLaunched: boolean;
  /** Others were missed before it. */
  readonly isMakeUp: boolean;
  readonly ranges: TickRange[];
}

/**
 * What becomes of the ticks from the cursor up to now, at which the slot was free and nobody came:
 * at most one of them is launched, whatever their number (P12).
 */
export function passMissed(
  ticks: TickSource,
  fromMs: number,
  nowMs: number,
  policies: Pick<JobPolicies, 'misfire' | 'catchUpMs' | 'startDeadlineMs'>,
): PassedMissed {
  const lastMs = lastTickFrom(ticks, fromMs, nowMs);
  const isMakeUp = lastMs > fromMs;
  const range = (firstMs: number, untilMs: number, reason: Reason): TickRange =>
    makeTickRange('missed', ticks, { fromMs: firstMs, untilMs }, reason);
  const ageMs = nowMs - lastMs;
  if (ageMs > windowMsOf(policies)) {
    const reason = policies.misfire === 'skip' ? reasons.nobodyThere : reasons.tooOld;
    return { lastMs, isLaunched: false, isMakeUp, ranges: [range(fromMs, lastMs, reason)] };
  }
  const beforeMs = Math.max(fromMs, ticks.lastAtOrBefore(lastMs - 1) ?? fromMs);
  const ranges = isMakeUp ? [range(fromMs, beforeMs, reasons.nobodyThere)] : [];
  const isLaunched = ageMs <= (policies.startDeadlineMs ?? Number.POSITIVE_INFINITY);
  if (!isLaunched) ranges.push(range(lastMs, lastMs, reasons.tooLate));
  return { lastMs, isLaunched, isMakeUp, ranges };
}

/** How late a tick may be to be launched all the same. */
function windowMsOf({ misfire, catchUpMs }: Pick<JobPolicies, 'misfire' | 'catchUpMs'>): number {
  if (misfire === 'skip') return onTimeMsMax;
  return catchUpMs ?? Number.POSITIVE_INFINITY;
}
