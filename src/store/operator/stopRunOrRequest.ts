import type { StopAnswer } from '../requests/stopRun.ts';
import type { RunShown } from '../runs/runRow.ts';
import { runMissing } from '../runs/showRun.ts';
import type { Operator } from './operator.ts';

interface Stopped {
  readonly answer: StopAnswer;
  readonly launchId: string | null;
  /** Launches of the request that waited for their turn. */
  readonly withdrawn: number;
}

/**
 * Stops a run by any of its names. Only who names the request means all of it: then also what
 * waits for its turn, or with `waitingOnly` that alone.
 * @param check may throw, by the run that is found
 * @throws OperatorError `run_missing`, `run_ended`.
 */
export async function stopRunOrRequest(
  operator: Pick<Operator, 'showRun' | 'stopRequest' | 'stopRun'>,
  id: string,
  waitingOnly = false,
  check: (run: RunShown) => void = () => undefined,
): Promise<Stopped> {
  const find = async (): Promise<RunShown> => {
    const run = await operator.showRun(id);
    check(run);
    return run;
  };
  const { job, launchId, requestId, result } = await find();
  const withdrawn = requestId === id ? await operator.stopRequest(job, requestId) : 0;
  if (waitingOnly) return { answer: 'withdrawn', launchId: null, withdrawn };
  if (launchId !== null && (result === null || withdrawn === 0)) {
    return { answer: await operator.stopRun(launchId), launchId, withdrawn };
  }
  if (withdrawn > 0) return { answer: 'withdrawn', launchId: null, withdrawn };
  // It was claimed between the two looks, or is a row of ticks that nothing was launched for.
  const again = await find();
  if (again.launchId === null) throw runMissing(id);
  const answer = await operator.stopRun(again.launchId);
  return { answer, launchId: again.launchId, withdrawn };
}
