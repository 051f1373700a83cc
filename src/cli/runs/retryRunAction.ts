import { setTimeout as sleep } from 'node:timers/promises';
import { exitCodes } from '../../domain/errors/errors.ts';
import { requestEnv } from '../../domain/job/edit/requestEnv.ts';
import { shellWord } from '../../domain/text/quoteForShell.ts';
import type { Answer } from '../../http/contract/apiContract.ts';
import type { RunView } from '../../http/contract/runContract.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import { withOperator } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { requireWait, type WaitOptions } from '../options/waitOptions.ts';
import { printJson, printLine, printNote } from '../output/print.ts';
import { runName } from '../output/runName.ts';
import { awayMsMax, isAway } from './followRun.ts';
import { runNumber } from './sayWhichRun.ts';
import { type AwaitedRun, runOfRequest, waitAndPrint } from './waitForRun.ts';

type RetryOptions = ClusterOptions & WaitOptions & { readonly env?: readonly string[] };

type Retried = Answer<'POST /runs/{run}/retry'>;

/** `run retry`: resolves to the exit code, with --wait that of the run. */
export async function retryRunAction(id: string, options: RetryOptions): Promise<number> {
  requireWait(options);
  const env = options.env && requestEnv(options.env);
  return withOperator(options, async (operator) => {
    const askedMs = performance.now();
    const retried = await operator.retryRun(id, env);
    const { job, launchId, requestId, attempt } = retried;
    const own = env === undefined ? null : requestId;
    if (!options.wait) {
      if (options.json) printJson(retried);
      else {
        printRetried(id, retried, own);
        if (own === null) await noteEarlierRetry(operator, retried);
      }
      return exitCodes.ok;
    }
    if (own !== null) {
      const run = runOfRequest(job, own);
      return waitAndPrint(operator, run, options, `See: statecron run show ${own}`);
    }
    const run = runOfAttempt(await operator.showRun(launchId), attempt, askedMs);
    return waitAndPrint(operator, run, options, 'Wait again with the same command.');
  });
}

/** @param own the id of the request that a retry with variables is */
function printRetried(id: string, retried: Retried, own: string | null): void {
  const { attempt, isNew, job, launchId } = retried;
  // What was given, where that is the number of a run.
  const run = runName({ launchId, runId: runNumber.test(id) ? Number(id) : null });
  if (own !== null) {
    printLine(`Requested a run of ${job} for the tick of ${run} (request ${own}).`);
    printNote(`See: statecron run show ${own}`);
    return;
  }
  const requested = `Requested attempt ${attempt} of ${job} after ${run}.`;
  printLine(isNew ? requested : `Attempt ${attempt} of ${job} is waiting or going on already.`);
}

/** The retry is requested, whether or not this can be read. */
async function noteEarlierRetry(operator: ApiOperator, retried: Retried): Promise<void> {
  const { attempt, isNew, job, launchId } = retried;
  // Before the second attempt there was no retry.
  if (!isNew || attempt === 2) return;
  const run = await operator.showRun(launchId).catch(() => null);
  if (run === null || run.attempt + 1 === attempt) return;
  const which = `attempt ${attempt - 1}`;
  printNote(`It had been tried again before (${which}): statecron runs --job ${shellWord(job)}`);
}

/** The attempts from one on of what a run was about: a tick has no id that they are found by. */
function runOfAttempt(before: RunView, first: number, askedMs: number): AwaitedRun {
  const { job } = before;
  const isIt = ({ attempt, nodeName, requestId, scheduledFor }: RunView): boolean => {
    const isSame = scheduledFor === before.scheduledFor && requestId === before.requestId;
    return isSame && nodeName === before.nodeName && attempt >= first;
  };
  const findEnded = async (operator: ApiOperator): Promise<RunView | null> => {
    const since = { agoMs: Math.ceil(performance.now() - askedMs) + marginMs };
    for await (const run of operator.listRuns({ job, since, runsMax })) {
      if (run.isFinal && isIt(run)) return run;
    }
    return null;
  };
  return {
    name: job,
    firstAttempt: first,
    look: async (operator) => {
      const running = await operator.listRunning({ job, runsMax });
      const waits = { launchId: null, node: null, result: null, startedAt: null, attempt: 1 };
      return running.find(isIt) ?? { ...before, ...waits };
    },
    wait: async (operator, timeoutMs = Number.POSITIVE_INFINITY) => {
      const untilMs = performance.now() + timeoutMs;
      let answeredMs = performance.now();
      for (;;) {
        try {
          const run = await findEnded(operator);
          answeredMs = performance.now();
          if (run !== null) return run;
        } catch (error) {
          if (!isAway(error) || performance.now() - answeredMs > awayMsMax) throw error;
        }
        if (performance.now() >= untilMs) return null;
        await sleep(Math.min(lookMs, Math.max(1, untilMs - performance.now())));
      }
    },
  };
}

const lookMs = 500;
const marginMs = 10_000;
const runsMax = 1_000;
