import { requestEnv } from '../../domain/job/edit/requestEnv.ts';
import { withoutNote } from '../../domain/reasons/reasons.ts';
import { failureResults, type RunResult } from '../../domain/run/run.ts';
import type { Since } from '../../domain/verify/since.ts';
import type { RunView } from '../../http/contract/runContract.ts';
import { withoutUndefined } from '../../http/routes/handling/badField.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import { logView } from '../../http/views/runView.ts';
import type { RunFilter } from '../../store/runs/listRuns.ts';
import { readTimezones } from '../connect/readTimezones.ts';
import { requireJobGroup } from '../connect/requireJobGroup.ts';
import { requireNode } from '../connect/requireNode.ts';
import { printAnswer, printList, withOperator } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import {
  formatAway,
  formatExactInstant,
  formatInstant,
  localTimezone,
  withLocalInstants,
} from '../output/formatInstant.ts';
import { ForeignOutput, printFields, printJson, printLine, printNote } from '../output/print.ts';
import { seeNewest, seeRun } from '../output/runName.ts';
import type { TableOptions } from '../output/table/printTable.ts';
import { followRun } from './followRun.ts';
import { resultText, runColumns } from './runColumns.ts';
import { runNumber, sayWhichRun } from './sayWhichRun.ts';
import { whyNoOutput } from './whyNoOutput.ts';

interface RunsOptions extends ClusterOptions, TableOptions {
  readonly job?: string;
  readonly group?: string;
  readonly node?: string;
  readonly failed?: boolean;
  readonly result?: readonly RunResult[];
  readonly since?: Since;
  readonly limit?: number;
  readonly running?: boolean;
}

/** `runs`. */
export async function listRunsAction(options: RunsOptions): Promise<void> {
  const { failed, group, job, node, result, running } = options;
  const runsMax = options.limit ?? (options.json ? 1_000 : 50);
  const results = failed ? [...failureResults, ...(result ?? [])] : result;
  const where = { runsMax, ...withoutUndefined({ job, node }) };
  const filter: RunFilter = {
    ...where,
    ...withoutUndefined({ group, results, since: options.since }),
  };
  const inGroup = group === undefined ? {} : { groups: [group] };
  let newest: RunView | undefined;
  await printList(options, {
    read: (operator) =>
      running ? operator.listRunning({ ...where, ...inGroup }) : operator.listRuns(filter),
    requireSubject: async (operator) => {
      if (job !== undefined) await operator.showJob(job);
      if (group !== undefined) await requireJobGroup(operator, group);
      if (node !== undefined) await requireNode(operator, node);
    },
    isLong: true,
    empty: running ? 'Nothing executes now.' : 'There are no such runs.',
    columns: async (operator, runs) => {
      newest = runs[0];
      const zone = job === undefined ? localTimezone() : await timezoneOf(operator, job);
      const ways = { isRunning: running === true, isWide: options.wide === true };
      return runColumns(zone, { ...ways, isAnyReason: runs.some(hasReason) });
    },
  });
  if (failed && newest !== undefined) printNote(seeNewest(newest));
}

async function timezoneOf(operator: ApiOperator, job: string): Promise<string> {
  return (await readTimezones(operator, [job]))(job);
}

function hasReason({ reason }: RunView): boolean {
  return withoutNote(reason) !== null;
}

/** `run show`. */
export async function showRunAction(id: string, options: ClusterOptions): Promise<void> {
  await withOperator(options, async (operator) => {
    const run = await operator.showRun(id);
    if (options.json) return printJson(run);
    printRun(run, await timezoneOf(operator, run.job));
  });
}

function printRun(run: RunView, timezone: string): void {
  const at = (instant: string | null): string | null => {
    const text = formatExactInstant(instant, timezone);
    return instant === null ? null : `${text} (${formatAway(instant)})`;
  };
  printFields([
    ['run', run.runId === null ? null : `${run.runId}`],
    ['launch', run.launchId],
    ['job', run.job],
    ['result', resultText(run)],
    ['reason', run.reason === null ? null : withLocalInstants(run.reason, timezone)],
    ['exit code', run.exitCode === null ? null : `${run.exitCode}`],
    ['signal', run.signal],
    ['trigger', `${run.trigger}, attempt ${run.attempt}`],
    ['scheduled', `${formatInstant(run.scheduledFor, timezone)}${untilText(run, timezone)}`],
    ['started', at(run.startedAt)],
    run.result === 'lost'
      ? ['recorded as lost', `${at(run.endedAt)}; when it ended is not known`]
      : ['ended', at(run.endedAt)],
    ['node', run.node],
    ['request', run.requestId],
    ['variables', run.variables?.join(', ') ?? null],
    ['revision', `${run.revision}`],
    ['output', `${run.outputBytes} bytes${run.outputBytes > 0 ? `; ${seeRun(run)}` : ''}`],
    ['whole output', wholeOutput(run)],
  ]);
}

/** Where all that a run wrote is; null: only what the database keeps. */
function wholeOutput({ node, outputCommand, outputFile }: RunView): string | null {
  const places = [outputFile, outputCommand].filter((place) => place !== null);
  return places.length === 0 ? null : `node ${node}, ${places.join('; ')}`;
}

function untilText({ scheduledUntil, ticks }: RunView, timezone: string): string {
  if (ticks <= 1) return '';
  return ` and ${ticks - 1} more until ${formatInstant(scheduledUntil, timezone)}`;
}

/** `run log`: the bytes as they are, or as base64 in JSON. With `--follow`: the exit code. */
export async function logRunAction(
  id: string,
  options: ClusterOptions & { readonly raw?: boolean; readonly follow?: boolean },
): Promise<number | undefined> {
  if (options.follow) return followRun(id, options);
  const { run, kept, published } = await withOperator(options, async (operator) => {
    const shown = await operator.showRun(id);
    if (!options.json) await sayWhichRun(operator, id, shown);
    const { launchId, result } = shown;
    const output = launchId === null ? null : await operator.readOutput(launchId);
    const isPart = output === null && launchId !== null && result === 'lost' && !options.json;
    const part = isPart ? (await operator.readLive(launchId, 0)).output : null;
    return { run: shown, kept: output, published: part };
  });
  if (options.json) {
    printJson(logView(run, kept));
    return undefined;
  }
  const output = kept ?? published;
  if (output !== null) await new ForeignOutput(options.raw).end(output);
  if (kept === null) printNote(whyNoOutput(run, published !== null));
  const isWhole = kept !== null && kept.length >= run.outputBytes;
  const whole = wholeOutput(run);
  if (!isWhole && whole !== null) printNote(`The whole output, while it is kept there: ${whole}`);
  return undefined;
}

/** `run retry`. */
export async function retryRunAction(
  id: string,
  options: ClusterOptions & { readonly env?: readonly string[] },
): Promise<void> {
  const env = options.env && requestEnv(options.env);
  const send = (operator: ApiOperator) => operator.retryRun(id, env);
  await printAnswer(options, send, ({ job, launchId, requestId, attempt, isNew }) => {
    if (env !== undefined) {
      printLine(
        `Requested a run of ${job} for the tick of ${idText(id, launchId)} (request ${requestId}).`,
      );
      return printNote(`See: statecron run show ${requestId}`);
    }
    const requested = `Requested attempt ${attempt} of ${job} after ${idText(id, launchId)}.`;
    printLine(isNew ? requested : `Attempt ${attempt} of ${job} is waiting or going on already.`);
  });
}

/** What was given, where that is the number of a run. */
function idText(id: string, launchId: string): string {
  return runNumber.test(id) ? `run ${id}` : launchId;
}
