import type { JobPolicies } from '../job/jobPolicies.ts';
import { reasons } from '../reasons/reasons.ts';
import { lastTickFrom, makeTickRange, type TickRange, type TickSource } from '../run/tickSource.ts';
import type { ClaimDecision, PendingLaunch } from './claimDecision.ts';
import { onTimeMsMax, passMissed, trimBacklog } from './passMissed.ts';
import type { SlotPast } from './sortTicks.ts';

type Policies = Pick<JobPolicies, 'misfire' | 'catchUpMs' | 'startDeadlineMs'>;

/**
 * What a claim makes of an observed job: each tick that would have been launched is `skipped`, the
 * others are `missed` as they would have been, and nothing is launched but what somebody requested.
 * Ticks are dealt with once they are over, never ahead, so that a job that goes live runs all that
 * come after. Null: there is nothing to write.
 */
export function observeTicks(
  { cursorMs, endedMs }: Pick<SlotPast, 'cursorMs' | 'endedMs'>,
  pending: PendingLaunch | null,
  ticks: TickSource,
  { nowMs, aheadMs, policies }: { nowMs: number; aheadMs: number; policies: Policies },
): ClaimDecision | null {
  // A node of version 0.5 does not know observed jobs, and lets them follow others.
  const isRequested = pending !== null && pending.trigger !== 'chain';
  const isTaken = isRequested && pending.notBeforeMs <= nowMs + aheadMs;
  const launch = isTaken
    ? {
        ...{ trigger: pending.trigger, scheduledForMs: pending.scheduledForMs },
        ...{ attempt: pending.attempt, fromPending: true },
      }
    : null;
  if (cursorMs === null || cursorMs > nowMs) {
    return launch === null ? null : { launch, cursorMs, ranges: [], queued: [] };
  }
  const ranges = passRunAndObserved(ticks, cursorMs, endedMs, { nowMs, policies });
  const nextMs = ticks.next(lastTickFrom(ticks, cursorMs, nowMs));
  return { launch, cursorMs: nextMs, ranges, queued: [] };
}

/** What came while a requested run had the slot would have been started all the same. */
function passRunAndObserved(
  ticks: TickSource,
  fromMs: number,
  endedMs: number | null,
  { nowMs, policies }: { nowMs: number; policies: Policies },
): TickRange[] {
  if (endedMs === null || endedMs < fromMs) return passObserved(ticks, fromMs, nowMs, policies);
  const lastMs = lastTickFrom(ticks, fromMs, Math.min(endedMs, nowMs));
  const range = makeTickRange('skipped', ticks, fromMs, lastMs, reasons.observed);
  const nextMs = ticks.next(lastMs);
  const areLeft = nextMs !== null && nextMs <= nowMs;
  return areLeft ? [range, ...passObserved(ticks, nextMs, nowMs, policies)] : [range];
}

function passObserved(
  ticks: TickSource,
  fromMs: number,
  nowMs: number,
  policies: Policies,
): TickRange[] {
  const lastMs = lastTickFrom(ticks, fromMs, nowMs);
  const observed = (firstMs: number, untilMs = lastMs) =>
    makeTickRange('skipped', ticks, firstMs, untilMs, reasons.observed);
  if (policies.misfire === 'all') {
    const { fromMs: firstMs, ranges } = trimBacklog(ticks, fromMs, nowMs, policies);
    const areLeft = firstMs !== null && firstMs <= nowMs;
    return areLeft ? [...ranges, observed(firstMs)] : ranges;
  }
  // A look comes once a second, and of ticks that often several are on time.
  const onTimeFromMs = nowMs - onTimeMsMax;
  if (fromMs >= onTimeFromMs) return [observed(fromMs)];
  const firstMs = ticks.next(onTimeFromMs - 1);
  if (firstMs !== null && firstMs <= nowMs) {
    const beforeMs = lastTickFrom(ticks, fromMs, firstMs - 1);
    const missed = makeTickRange('missed', ticks, fromMs, beforeMs, reasons.nobodyThere);
    return [missed, observed(firstMs)];
  }
  const { isLaunched, ranges } = passMissed(ticks, fromMs, nowMs, policies);
  return isLaunched ? [...ranges, observed(lastMs)] : ranges;
}
