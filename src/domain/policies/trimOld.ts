import type { JobPolicies } from '../job/jobPolicies.ts';
import { type Reason, reasons } from '../reasons/reasons.ts';
import { lastTickFrom, makeTickRange, type TickRange, type TickSource } from '../run/tickSource.ts';
import { catchUpAllMs } from './passMissed.ts';

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
  const deadlineMs = startDeadlineMs ?? Number.POSITIVE_INFINITY;
  return deadlineMs < catchUpMs
    ? trimLate(ticks, fromMs, nowMs, deadlineMs)
    : trimBefore(ticks, fromMs, nowMs - catchUpMs, reasons.tooOld);
}

function trimBefore(ticks: TickSource, fromMs: number, oldestMs: number, reason: Reason): Trimmed {
  if (fromMs >= oldestMs) return { fromMs, ranges: [] };
  const untilMs = lastTickFrom(ticks, fromMs, Math.ceil(oldestMs) - 1);
  const range = makeTickRange('missed', ticks, { fromMs, untilMs }, reason);
  return { fromMs: ticks.next(untilMs), ranges: [range] };
}
