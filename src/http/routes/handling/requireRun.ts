import type { Operator } from '../../../store/operator/operator.ts';
import type { RunShown } from '../../../store/runs/runRow.ts';
import { runMissing } from '../../../store/runs/showRun.ts';
import { type Caller, maySeeGroup } from '../../authentication/api.ts';

/**
 * A run by any of its names, if it is the caller's business.
 * @throws OperatorError `run_missing`, also for one of another group.
 */
export async function requireRun(
  operator: Operator,
  caller: Caller,
  id: string,
): Promise<RunShown> {
  const run = await operator.showRun(id);
  requireRunsGroup(caller, run, id);
  return run;
}

/** @throws OperatorError `run_missing` for one of another group. */
export function requireRunsGroup(caller: Caller, { group }: RunShown, id: string): void {
  if (!maySeeGroup(caller, group)) throw runMissing(id);
}
