import type { Operator } from '../../store/operator/operator.ts';
import { runMissing } from '../../store/runs/showRun.ts';
import type { StopAnswer } from '../../store/runs/stopRun.ts';
import type { Caller } from '../api.ts';
import { requireRun } from './requireRun.ts';

interface Stopped {
  readonly answer: StopAnswer;
  readonly launchId: string | null;
  /** Launches of the request that waited for their turn. */
  readonly withdrawn: number;
}

/**
 * Stops a run by any of its names. Only who names the request means all of it: then also what
 * waits for its turn, or with `waitingOnly` that alone.
 * @throws OperatorError `run_missing`, `run_ended`.
 */
export async function stopRunOrRequest(
  operator: Operator,
  caller: Caller,
  id: string,
  waitingOnly: boolean,
): Promise<Stopped> {
  const { job, launchId, requestId, result } = await requireRun(operator, caller, id);
  const withdrawn = requestId === id ? await operator.stopRequest(job, requestId) : 0;
  if (waitingOnly) return { answer: 'withdrawn', launchId: null, withdrawn };
  if (launchId !== null && (result === null || withdrawn === 0)) {
    return { answer: await operator.stopRun(launchId), launchId, withdrawn };
  }
  if (withdrawn > 0) return { answer: 'withdrawn', launchId: null, withdrawn };
  // It was claimed between the two looks, or is a row of ticks that nothing was launched for.
  const again = await requireRun(operator, caller, id);
  if (again.launchId === null) throw runMissing(id);
  const answer = await operator.stopRun(again.launchId);
  return { answer, launchId: again.launchId, withdrawn };
}
