import type { JobPolicies } from '../job/jobPolicies.ts';
import { type Reason, reasons } from '../reasons/reasons.ts';
import { isFailure, isTickLaunch, type RunResult, type Trigger } from '../run/run.ts';

/** How many of a job's ticks ran, and failed one after the other, since it was made or resumed. */
interface RunCounts {
  readonly ticksRun: number;
  readonly failuresInRow: number;
}

/** A launch that has ended for good. */
interface EndedLaunch {
  readonly trigger: Trigger;
  readonly requestId: string | null;
  readonly result: RunResult;
}

/** Whether anything of the job has to be counted at all. */
export function isCounted({ runsMax, failuresMax }: JobPolicies): boolean {
  return runsMax !== undefined || failuresMax !== undefined;
}

/**
 * The counts after a launch that was its tick's last. What was requested by hand is no tick and
 * counts for nothing; what was stopped, or never spawned, is neither a success nor a failure.
 */
export function countRun(
  counts: RunCounts,
  { trigger, requestId, result }: EndedLaunch,
): RunCounts {
  if (!isTickLaunch({ trigger, requestId })) return counts;
  const { ticksRun, failuresInRow } = counts;
  if (result === 'succeeded') return { ticksRun: ticksRun + 1, failuresInRow: 0 };
  return { ticksRun: ticksRun + 1, failuresInRow: failuresInRow + (isFailure(result) ? 1 : 0) };
}

/** Why the job pauses itself now, or null. */
export function whyPaused(
  { runsMax, failuresMax }: Pick<JobPolicies, 'runsMax' | 'failuresMax'>,
  { ticksRun, failuresInRow }: RunCounts,
): Reason | null {
  if (runsMax !== undefined && ticksRun >= runsMax) return reasons.ranOut(runsMax);
  if (failuresMax !== undefined && failuresInRow >= failuresMax) {
    return reasons.failedOut(failuresMax);
  }
  return null;
}
