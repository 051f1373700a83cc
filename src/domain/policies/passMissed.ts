import type { JobPolicies } from '../job/jobPolicies.ts';
import { type Reason, reasons } from '../reasons/reasons.ts';
import { lastTickFrom, makeTickRange, type TickRange, type TickSource } from '../run/tickSource.ts';

/**
 * A tick that is late by no more was not missed, unless the job's own catch-up says less: so long a
 * node may take over its launch.
 */
export const onTimeMsMax = 10_000;

/** How far back `all` makes up, unless the job says otherwise. */
const catchUpAllMs = 3_600_000;

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
  const { misfire, catchUpMs = Number.POSITIVE_INFINITY } = policies;
  const { startDeadlineMs = Number.POSITIVE_INFINITY } = policies;
  const lastMs = lastTickFrom(ticks, fromMs, nowMs);
  const isMakeUp = lastMs > fromMs;
  const ageMs = nowMs - lastMs;
  if (ageMs > (misfire === 'skip' ? onTimeMsMax : catchUpMs)) {
    const reason = misfire === 'skip' ? reasons.nobodyThere : reasons.tooOld;
    const range = makeTickRange('missed', ticks, fromMs, lastMs, reason);
    return { lastMs, isLaunched: false, isMakeUp, ranges: [range] };
  }
  const ranges: TickRange[] = [];
  if (isMakeUp) {
    const beforeMs = lastTickFrom(ticks, fromMs, lastMs - 1);
    ranges.push(makeTickRange('missed', ticks, fromMs, beforeMs, reasons.nobodyThere));
  }
  const isLaunched = ageMs <= startDeadlineMs;
  if (!isLaunched) ranges.push(makeTickRange('missed', ticks, lastMs, lastMs, reasons.tooLate));
  return { lastMs, isLaunched, isMakeUp, ranges };
}

/** What is left of the ticks from a cursor on, and the row of those that it passed. */
interface Trimmed {
  readonly fromMs: number | null;
  readonly ranges: TickRange[];
}

/** Ends the ticks that waited until their start deadline was over. */
export function trimLate(
  ticks: TickSource,
  fromMs: number,
  nowMs: number,
  startDeadlineMs = Number.POSITIVE_INFINITY,
): Trimmed {
  return trimBefore(ticks, fromMs, nowMs - startDeadlineMs, reasons.tooLate);
}

/** Ends the ticks of a backlog that are older than what `all` makes up for, as one range. */
export function trimBacklog(
  ticks: TickSource,
  fromMs: number,
  nowMs: number,
  { catchUpMs = catchUpAllMs, startDeadlineMs }: Pick<JobPolicies, 'catchUpMs' | 'startDeadlineMs'>,
): Trimmed {
  return startDeadlineMs !== undefined && startDeadlineMs < catchUpMs
    ? trimLate(ticks, fromMs, nowMs, startDeadlineMs)
    : trimBefore(ticks, fromMs, nowMs - catchUpMs, reasons.tooOld);
}

function trimBefore(ticks: TickSource, fromMs: number, oldestMs: number, reason: Reason): Trimmed {
  if (fromMs >= oldestMs) return { fromMs, ranges: [] };
  const untilMs = lastTickFrom(ticks, fromMs, Math.ceil(oldestMs) - 1);
  const range = makeTickRange('missed', ticks, fromMs, untilMs, reason);
  return { fromMs: ticks.next(untilMs), ranges: [range] };
}
