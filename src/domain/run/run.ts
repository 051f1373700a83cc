import type { Reason } from '../reasons/reasons.ts';

/**
 * Why a launch came to be. `misfire`: its tick was missed and is made up for. `queue`: its tick
 * had to wait its turn. `retry`: a new attempt of a tick, or of a request, that went wrong before.
 */
export type Trigger = 'schedule' | 'manual' | 'misfire' | 'queue' | 'retry' | 'backfill' | 'chain';

/** What says whether a launch, or a request for one, is of a tick. */
export interface LaunchCause {
  readonly trigger: string | null;
  readonly requestId: string | null;
}

/**
 * Whether a launch is of a tick of the schedule, which P19 is about. A new attempt is when the
 * first one was; what was requested by hand, as a backfill or by a chain has a request id.
 */
export function isTickLaunch({ trigger, requestId }: LaunchCause): boolean {
  if (trigger === 'retry') return requestId === null || requestId === '';
  return trigger === 'schedule' || trigger === 'misfire' || trigger === 'queue';
}

/** How a launch, or a range of ticks without one, ended. */
export const runResults = [
  'succeeded',
  'failed',
  'timed_out',
  'stopped',
  'lost',
  'not_started',
  'skipped',
  'missed',
] as const;

export type RunResult = (typeof runResults)[number];

/** Whether it is one of ticks that nothing was started for, so that there was no run. */
export function isTickOnly(result: RunResult): boolean {
  return result === 'skipped' || result === 'missed';
}

/** How the last run of a job can have ended. */
export const lastResults = runResults.filter((result) => !isTickOnly(result));

/** Whether a result is a failure, for notifications and for the limit of failures in a row. */
export function isFailure(result: string | null): boolean {
  return result === 'failed' || result === 'timed_out' || result === 'lost';
}

/** The results that are failures. */
export const failureResults = runResults.filter(isFailure);

/** What one execution of a command came to, as the pool reports it and a finish records it. */
export interface Execution {
  /** `spawn_failed`: there was never a process; `reason` says why. */
  result: 'succeeded' | 'failed' | 'timed_out' | 'stopped' | 'spawn_failed';
  /** The exit code of bash, or null when it died by a signal or never lived. */
  exitCode: number | null;
  /** The signal that ended bash, e.g. `SIGKILL`, or null. */
  signal: string | null;
  /** A sentence for people: what was wrong, what was killed. Null when there is nothing to say. */
  reason: Reason | null;
  /** Head and tail of the combined output, binary-safe, at most the job's bound plus a marker. */
  output: Uint8Array;
  /** Bytes that the job wrote altogether, those that were not kept included. */
  outputBytes: number;
  /**
   * When it ended with all that bash left running, in milliseconds of the host's boot clock;
   * absent: when it is reported.
   */
  endedBootMs?: number;
}
