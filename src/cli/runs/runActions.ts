import type { RunView } from '../../http/contract/runContract.ts';
import { withoutUndefined } from '../../http/routes/handling/badField.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import { logView } from '../../http/views/runView.ts';
import type { RunFilter } from '../../store/runs/listRuns.ts';
import { printAnswer, printList, withOperator } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { ForeignOutput, printFields, printJson, printLine, printNote } from '../output/print.ts';
import { followRun } from './followRun.ts';

interface RunsOptions extends ClusterOptions {
  readonly job?: string;
  readonly since?: number;
  readonly limit?: number;
  readonly running?: boolean;
}

/** `runs`. */
export async function listRunsAction(options: RunsOptions): Promise<void> {
  const { job, running } = options;
  const filter: RunFilter = {
    runsMax: options.limit ?? (options.json ? 1_000 : 50),
    ...withoutUndefined({ job, sinceMs: options.since }),
  };
  await printList(options, {
    read: (operator) => (running ? operator.listRunning(filter) : operator.listRuns(filter)),
    requireSubject: async (operator) => job !== undefined && operator.showJob(job),
    isLong: true,
    empty: running ? 'Nothing executes now.' : 'There are no such runs.',
    headings: ['ENDED', 'JOB', 'RESULT', 'SCHEDULED FOR', 'TOOK', 'NODE', 'RUN'],
    rowOf,
  });
}

function rowOf(run: RunView): string[] {
  const took =
    run.startedAt === null || run.endedAt === null
      ? '-'
      : `${((Date.parse(run.endedAt) - Date.parse(run.startedAt)) / 1000).toFixed(3)}s`;
  const range = run.ticks > 1 ? ` and ${run.ticks - 1} more` : '';
  return [
    run.endedAt ?? '-',
    run.job,
    resultText(run),
    `${run.scheduledFor}${range}`,
    took,
    run.node ?? '-',
    // What never started has its reason in `run show`, which takes the number.
    run.launchId ?? `${run.runId ?? '-'}`,
  ];
}

/** How a run ended, or where it stands. */
function resultText(run: RunView): string {
  if (run.result === null) return run.startedAt === null ? 'waiting' : 'running';
  if (run.result !== 'failed') return run.result;
  return run.signal === null
    ? `failed (${run.exitCode ?? 'no process'})`
    : `failed (${run.signal})`;
}

/** `run show`. */
export async function showRunAction(id: string, options: ClusterOptions): Promise<void> {
  await printAnswer(options, (operator) => operator.showRun(id), printRun);
}

function printRun(run: RunView): void {
  printFields([
    ['launch', run.launchId],
    ['number', run.runId === null ? null : `${run.runId}`],
    ['job', run.job],
    ['result', resultText(run)],
    ['reason', run.reason],
    ['exit code', run.exitCode === null ? null : `${run.exitCode}`],
    ['signal', run.signal],
    ['trigger', `${run.trigger}, attempt ${run.attempt}`],
    ['scheduled', run.scheduledFor],
    ['started', run.startedAt],
    ['ended', run.endedAt],
    ['node', run.node],
    ['request', run.requestId],
    ['revision', `${run.revision}`],
    ['output', `${run.outputBytes} bytes${run.outputBytes > 0 ? '; see: statecron run log' : ''}`],
  ]);
}

/** `run log`: the bytes as they are, or as base64 in JSON. With `--follow`: the exit code. */
export async function logRunAction(
  id: string,
  options: ClusterOptions & { readonly raw?: boolean; readonly follow?: boolean },
): Promise<number | undefined> {
  if (options.follow) return followRun(id, options);
  const [run, output] = await withOperator(options, async (operator) => {
    const shown = await operator.showRun(id);
    const kept = shown.launchId === null ? null : await operator.readOutput(shown.launchId);
    return [shown, kept];
  });
  if (options.json) printJson(logView(run, output));
  else if (output !== null) await new ForeignOutput(options.raw).end(output);
  else if (run.result === null)
    printNote('It has not ended; see what it writes with: statecron run log --follow');
  else printNote('It wrote nothing.');
  return undefined;
}

/** `run stop`: of a request also what still waits for its turn. */
export async function stopRunAction(
  id: string,
  options: ClusterOptions & { readonly wait?: boolean },
): Promise<void> {
  await withOperator(options, async (operator) => {
    const stopped = await operator.stopRun(id);
    const { answer, launchId, withdrawn } = stopped;
    const run = options.wait && launchId !== null ? await operator.waitForLaunch(launchId) : null;
    if (options.json) return printJson({ ...stopped, ...(run === null ? {} : { run }) });
    if (run !== null) printLine(`${run.launchId}: ${resultText(run)}.`);
    else printLine(stopTexts[answer].replace('ID', launchId ?? id));
    if (withdrawn > 0 && launchId !== null) {
      printLine(`${withdrawn} more of the request had not started and never will.`);
    }
  });
}

const stopTexts = {
  withdrawn: 'ID is withdrawn: it had not started and never will.',
  asked: 'ID is being stopped; its node sends SIGTERM within seconds.',
  ended: 'ID was stopped before.',
} as const;

/** `run retry`. */
export async function retryRunAction(id: string, options: ClusterOptions): Promise<void> {
  const send = (operator: ApiOperator) => operator.retryRun(id);
  await printAnswer(options, send, ({ job, launchId, attempt, isNew }) => {
    const requested = `Requested attempt ${attempt} of ${job} after ${launchId}.`;
    printLine(isNew ? requested : `Attempt ${attempt} of ${job} is waiting or going on already.`);
  });
}
