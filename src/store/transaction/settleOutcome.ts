import { setTimeout as sleep } from 'node:timers/promises';
import { exitCodes, type OperatorError, outcomeUnknown } from '../../domain/errors/errors.ts';
import type { Committed, Outcome, Refused } from '../../domain/errors/outcome.ts';
import { databaseFault, wasNeverSent } from '../connection/databaseFault.ts';

/** Pauses between tries, milliseconds: a failover of the database takes some seconds. */
const usualPausesMs: readonly number[] = [100, 400, 1_500, 4_000];

/**
 * Runs an operator's transaction until its outcome is known. What is idempotent is tried
 * again while the outcome is unknown; anything else is reported as unknown, with how to look.
 * @throws OperatorError `outcome_unknown` (75), `database_away` (69), and the like.
 */
export async function settleOutcome<T>(
  attempt: () => Promise<Outcome<T>>,
  options: { readonly isIdempotent: boolean; readonly look: string },
  pausesMs = usualPausesMs,
): Promise<Committed<T> | Refused> {
  /** Whatever the last try came to: one before it may have been committed. */
  let mayBeDone = false;
  for (let tries = 0; ; tries += 1) {
    const outcome = await attempt();
    if (outcome.outcome !== 'unknown') return outcome;
    const { cause } = outcome;
    const fault = databaseFault(cause);
    const isFinal = fault !== null && isForGood(fault);
    if (isFinal && !mayBeDone) throw fault;
    mayBeDone ||= !wasNeverSent(cause);
    const pauseMs = pausesMs[tries];
    if (isFinal || pauseMs === undefined || (mayBeDone && !options.isIdempotent)) {
      if (fault !== null && !mayBeDone) throw fault;
      throw outcomeUnknown('database', cause, options.look);
    }
    await sleep(pauseMs);
  }
}

/** Waiting changes nothing about rights, tables and disks, and the server said that it refused. */
function isForGood(fault: OperatorError): boolean {
  return fault.exitCode === exitCodes.configuration || fault.exitCode === exitCodes.failed;
}
