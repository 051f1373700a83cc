import { exitCodes } from '../domain/errors.ts';
import type { RunView } from '../http/views/runView.ts';
import type { ShownOperator } from '../http/views/shownOperator.ts';
import { runMissing } from '../store/runs/showRun.ts';
import type { StopAnswer } from '../store/runs/stopRun.ts';
import type { ClusterOptions } from './clusterOptions.ts';
import { printJson, printLine } from './print.ts';
import { resultText } from './runViews.ts';
import { withOperator } from './withOperator.ts';

/** `run stop`: of a request also what still waits for its turn. */
export async function stopRunAction(
  id: string,
  options: ClusterOptions & { readonly json?: boolean; readonly wait?: boolean },
): Promise<number> {
  return withOperator(options, async (operator) => {
    const { answer, launchId, withdrawn } = await stop(operator, id);
    const run = options.wait && launchId !== null ? await operator.waitForLaunch(launchId) : null;
    if (options.json) {
      const ended = run === null ? {} : { run };
      printJson({ launchId, answer, withdrawn, ...ended });
    } else if (run !== null) printLine(`${run.launchId}: ${resultText(run)}.`);
    else printLine(answers[answer].replace('ID', launchId ?? id));
    if (!options.json && withdrawn > 0 && launchId !== null) {
      printLine(`${withdrawn} more of the request had not started and never will.`);
    }
    return exitCodes.ok;
  });
}

interface Stopped {
  readonly answer: StopAnswer;
  readonly launchId: string | null;
  /** Launches of the request that waited for their turn. */
  readonly withdrawn: number;
}

async function stop(operator: ShownOperator, id: string): Promise<Stopped> {
  const run = await findRun(operator, id);
  if (run === null) return { answer: await operator.stopRun(id), launchId: id, withdrawn: 0 };
  const { job, launchId, requestId } = run;
  // Only who names the request means all of it.
  const withdrawn = requestId === id ? await operator.stopRequest(job, requestId) : 0;
  if (launchId !== null && (run.result === null || withdrawn === 0)) {
    return { answer: await operator.stopRun(launchId), launchId, withdrawn };
  }
  if (withdrawn > 0) return { answer: 'withdrawn', launchId: null, withdrawn };
  // It was claimed between the two looks, or is a row of ticks that nothing was launched for.
  const again = await operator.showRun(id);
  if (again.launchId === null) throw runMissing(id);
  return { answer: await operator.stopRun(again.launchId), launchId: again.launchId, withdrawn };
}

/** Null: let the stop itself say what is wrong. */
async function findRun(operator: ShownOperator, id: string): Promise<RunView | null> {
  try {
    return await operator.showRun(id);
  } catch (error) {
    if ((error as { code?: string }).code === 'run_missing') return null;
    throw error;
  }
}

const answers = {
  withdrawn: 'ID is withdrawn: it had not started and never will.',
  asked: 'ID is being stopped; its node sends SIGTERM within seconds.',
  ended: 'ID was stopped before.',
} as const;
