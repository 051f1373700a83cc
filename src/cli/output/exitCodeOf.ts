import { constants } from 'node:os';
import { exitCodes } from '../../domain/errors/errors.ts';
import type { RunView } from '../../http/contract/runContract.ts';

/**
 * The exit code that a shell has for such a run: its own, 128 + n for a signal, 1 when it did not
 * run.
 */
export function exitCodeOf(run: Pick<RunView, 'result' | 'exitCode' | 'signal'>): number {
  if (run.result === 'succeeded') return exitCodes.ok;
  if (run.signal !== null) {
    const number = constants.signals[run.signal as NodeJS.Signals] as number | undefined;
    if (number !== undefined) return 128 + number;
  }
  // A run that was stopped or timed out may have ended with 0 and did not succeed for that.
  return run.exitCode || exitCodes.failed;
}

/** The job, how its run ended, and why. The reason of one that failed may be a note about it. */
export function howEnded(run: Pick<RunView, EndFields>): string {
  const end = run.signal ?? (run.exitCode ? `exit ${run.exitCode}` : null);
  const own = run.result === 'failed' || run.reason === null ? end : null;
  const how = [own, run.reason].filter((each) => each !== null).join('; ');
  return `${run.job}: ${run.result}${how === '' ? '' : ` (${how})`}`;
}

type EndFields = 'job' | 'result' | 'reason' | 'signal' | 'exitCode';
