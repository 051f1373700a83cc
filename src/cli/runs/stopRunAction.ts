import { exitCodes } from '../../domain/errors/errors.ts';
import { withOperator } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { printJson, printLine } from '../output/print.ts';
import { resultText } from './runViews.ts';

/** `run stop`: of a request also what still waits for its turn. */
export async function stopRunAction(
  id: string,
  options: ClusterOptions & { readonly json?: boolean; readonly wait?: boolean },
): Promise<number> {
  return withOperator(options, async (operator) => {
    const stopped = await operator.stopRun(id);
    const { answer, launchId, withdrawn } = stopped;
    const run = options.wait && launchId !== null ? await operator.waitForLaunch(launchId) : null;
    if (options.json) printJson({ ...stopped, ...(run === null ? {} : { run }) });
    else if (run !== null) printLine(`${run.launchId}: ${resultText(run)}.`);
    else printLine(answers[answer].replace('ID', launchId ?? id));
    if (!options.json && withdrawn > 0 && launchId !== null) {
      printLine(`${withdrawn} more of the request had not started and never will.`);
    }
    return exitCodes.ok;
  });
}

const answers = {
  withdrawn: 'ID is withdrawn: it had not started and never will.',
  asked: 'ID is being stopped; its node sends SIGTERM within seconds.',
  ended: 'ID was stopped before.',
} as const;
