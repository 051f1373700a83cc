import type { Answer } from '../../http/contract/apiContract.ts';
import type { RunView } from '../../http/contract/runContract.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import { withOperator } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { printJson, printLine } from '../output/print.ts';
import { runName } from '../output/runName.ts';
import { resultText } from './runColumns.ts';

/** What a stop came to; with the run where its end was waited for. */
export interface Stopped extends Answer<'POST /runs/{run}/stop'> {
  readonly run?: RunView;
}

/** `run stop`: of a request also what still waits for its turn. */
export async function stopRunAction(
  id: string,
  options: ClusterOptions & { readonly wait?: boolean },
): Promise<void> {
  await withOperator(options, async (operator) => {
    const stopped = await stopRun(operator, id, options.wait);
    if (options.json) printJson(stopped);
    else await printStopped(operator, id, stopped);
  });
}

/** Stops a run, and waits for its end if that is wanted. */
export async function stopRun(
  operator: ApiOperator,
  id: string,
  isWaiting = false,
): Promise<Stopped> {
  const stopped = await operator.stopRun(id);
  const { launchId } = stopped;
  const run = isWaiting && launchId !== null ? await operator.waitForLaunch(launchId) : null;
  return run === null ? stopped : { ...stopped, run };
}

/** Says which run was stopped, and how it stands. */
export async function printStopped(
  operator: ApiOperator,
  id: string,
  { answer, launchId, run, withdrawn }: Stopped,
): Promise<void> {
  // It is stopped, whether or not this can be read.
  const shown = run ?? (await operator.showRun(launchId ?? id).catch(() => null));
  const name = shown?.launchId ? capital(runName(shown)) : id;
  const which = `${name}${shown === null ? '' : ` of ${shown.job}`}`;
  if (run !== undefined) printLine(`${which}: ${resultText(run)}.`);
  else printLine(`${which} ${stopTexts[answer]}`);
  if (withdrawn > 0 && launchId !== null) {
    printLine(`${withdrawn} more of the request had not started and never will.`);
  }
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const stopTexts = {
  withdrawn: 'is withdrawn: it had not started and never will.',
  asked: 'is being stopped; its node sends SIGTERM within seconds.',
  ended: 'was stopped before.',
} as const;
