import { OperatorError } from '../../domain/errors/errors.ts';
import { shellWord } from '../../domain/text/quoteForShell.ts';
import type { RunView } from '../../http/contract/runContract.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import type { ShownJobView } from '../../http/views/jobView.ts';
import { readTimezones } from '../connect/readTimezones.ts';
import { withOperator } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { formatAway, formatInstant } from '../output/formatInstant.ts';
import { printJson, printNote } from '../output/print.ts';
import { runName } from '../output/runName.ts';
import { logRunAction } from '../runs/runActions.ts';
import { printStopped, type Stopped, stopRun } from '../runs/stopRunAction.ts';

/** `job log`: of the run under way, else of the last one; says on stderr which one that is. */
export async function logJobAction(
  name: string,
  options: ClusterOptions & { readonly raw?: boolean; readonly follow?: boolean },
): Promise<number | undefined> {
  const launchId = await withOperator(options, async (operator) => {
    const run = await newestRun(operator, name);
    if (!options.json) await printWhich(operator, run);
    return run.launchId;
  });
  return logRunAction(launchId, options);
}

type LaunchedRun = RunView & { readonly launchId: string };

/**
 * The run of a job that began last, removed jobs of the name included.
 * @throws OperatorError `job_missing`, `run_missing`.
 */
async function newestRun(operator: ApiOperator, job: string): Promise<LaunchedRun> {
  for (const run of await operator.listRunning({ job, runsMax: 1 }))
    if (isLaunched(run)) return run;
  for await (const run of operator.listRuns({ job, runsMax: rowsMax }))
    if (isLaunched(run)) return run;
  await operator.showJob(job);
  const word = shellWord(job);
  throw new OperatorError({
    code: 'run_missing',
    message: `No run of ${JSON.stringify(job)} has started, as far as its history goes back.`,
    hint: `See why: statecron job why ${word}; run it now: statecron job run ${word}`,
  });
}

/** What was skipped or missed is a row of the history, too. */
const rowsMax = 1_000;

function isLaunched(run: RunView): run is LaunchedRun {
  return run.launchId !== null;
}

async function printWhich(operator: ApiOperator, run: LaunchedRun): Promise<void> {
  const { endedAt, job, result, startedAt } = run;
  const zoneOf = await readTimezones(operator, [job]);
  const at = endedAt ?? startedAt ?? run.scheduledFor;
  const when = `${formatInstant(at, zoneOf(job))} (${formatAway(at)})`;
  const which = result === null ? 'The run under way, started' : `The last run, ${result}`;
  printNote(`${which} ${when}: ${runName(run)}`);
  // Of a removed job nothing waits.
  const shown = await operator.showJob(job).catch(() => null);
  const pending = shown?.pending ?? 0;
  if (pending > 0) printNote(`${pending} more of the job's requested runs have not started yet.`);
}

/** `job stop`: every run of a job that executes. */
export async function stopJobAction(
  name: string,
  options: ClusterOptions & { readonly wait?: boolean },
): Promise<void> {
  await withOperator(options, async (operator) => {
    const running = await operator.listRunning({ job: name, runsMax: rowsMax });
    if (running.length === 0) printNotStarted(name, await operator.showJob(name));
    const stopped: Stopped[] = [];
    for (const { launchId } of running.filter(isLaunched)) {
      stopped.push(await stopUnlessEnded(operator, launchId));
    }
    // All of them end meanwhile.
    if (options.wait) {
      for (const [index, each] of stopped.entries()) {
        const run = await operator.waitForLaunch(each.launchId ?? '');
        if (run !== null) stopped[index] = { ...each, run };
      }
    }
    if (options.json) return printJson(stopped);
    for (const each of stopped) await printStopped(operator, each.launchId ?? name, each);
  });
}

function printNotStarted(name: string, { pending, slots }: ShownJobView): void {
  printNote(`No run of ${name} executes.`);
  const claimed = slots.filter(({ state, trigger }) => state === 'prepare' && trigger === 'manual');
  const count = pending + claimed.length;
  if (count === 0) return;
  const what = count === 1 ? 'A requested run has' : `${count} requested runs have`;
  printNote(`${what} not started yet; withdraw one with: statecron run stop REQUEST_ID`);
}

/** One that ends by itself meanwhile needs no stop. */
async function stopUnlessEnded(operator: ApiOperator, launchId: string): Promise<Stopped> {
  try {
    return await stopRun(operator, launchId);
  } catch (error) {
    if (!(error instanceof OperatorError && error.code === 'run_ended')) throw error;
    return { answer: 'ended', launchId, withdrawn: 0, run: await operator.showRun(launchId) };
  }
}
