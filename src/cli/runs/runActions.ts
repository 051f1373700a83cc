import { failureResults, type RunResult } from '../../domain/run/run.ts';
import { shellWord } from '../../domain/text/quoteForShell.ts';
import type { RunView } from '../../http/contract/runContract.ts';
import { withoutUndefined } from '../../http/routes/handling/badField.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import { logView } from '../../http/views/runView.ts';
import type { RunFilter } from '../../store/runs/listRuns.ts';
import { inZoneOf, readTimezones } from '../connect/readTimezones.ts';
import { requireJobGroup } from '../connect/requireJobGroup.ts';
import { requireNode } from '../connect/requireNode.ts';
import { printList, withOperator } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import type { readSince } from '../options/readTime.ts';
import {
  formatAway,
  formatExactInstant,
  formatInstant,
  localTimezone,
  withLocalInstants,
} from '../output/formatInstant.ts';
import { printFields } from '../output/lines/printFields.ts';
import { ForeignOutput, printJson, printNote } from '../output/print.ts';
import { seeNewest, seeRun } from '../output/runName.ts';
import type { TableOptions } from '../output/table/printTable.ts';
import { followRun, writtenSoFar } from './followRun.ts';
import { printLife } from './printLife.ts';
import { resultText, runColumns, shownReason } from './runColumns.ts';
import { sayWhichRun } from './sayWhichRun.ts';
import { whyNoOutput } from './whyNoOutput.ts';

interface RunsOptions extends ClusterOptions, TableOptions {
  readonly job?: string;
  readonly group?: string;
  readonly node?: string;
  readonly failed?: boolean;
  readonly result?: readonly RunResult[];
  readonly since?: ReturnType<typeof readSince>;
  readonly limit?: number;
  readonly running?: boolean;
}

/** `runs`. */
export async function listRunsAction(options: RunsOptions): Promise<void> {
  const { failed, group, job, node, result, running } = options;
  const runsMax = options.limit ?? (options.json ? 1_000 : 50);
  const results = failed ? [...failureResults, ...(result ?? [])] : result;
  const where = { runsMax, ...withoutUndefined({ job, node }) };
  const filter = async (operator: ApiOperator): Promise<RunFilter> => {
    const since = options.since && (await inZoneOf(operator, job, options.since));
    return { ...where, ...withoutUndefined({ group, results, since }) };
  };
  const inGroup = group === undefined ? {} : { groups: [group] };
  let newest: RunView | undefined;
  await printList(options, {
    read: async (operator) =>
      running
        ? operator.listRunning({ ...where, ...inGroup })
        : operator.listRuns(await filter(operator)),
    requireSubject: async (operator) => {
      if (job !== undefined) await operator.showJob(job);
      if (group !== undefined) await requireJobGroup(operator, group);
      if (node !== undefined) await requireNode(operator, node);
    },
    isLong: true,
    limit: runsMax,
    empty: running ? 'Nothing executes now.' : 'There are no such runs.',
    columns: async (operator, runs) => {
      newest = runs[0];
      const zone = job === undefined ? localTimezone() : await timezoneOf(operator, job);
      const ways = { isRunning: running === true, isWide: options.wide === true };
      return runColumns(zone, {
        ...ways,
        isAnyReason: runs.some((run) => shownReason(run) !== null),
        isAnyOther: runs.some(isNoTick),
      });
    },
  });
  if (failed && newest !== undefined) printNote(seeNewest(newest));
}

async function timezoneOf(operator: ApiOperator, job: string): Promise<string> {
  return (await readTimezones(operator, [job]))(job);
}

/** Whether it is more than the one run of its tick. */
function isNoTick({ attempt, trigger }: RunView): boolean {
  return trigger !== 'schedule' || attempt > 1;
}

/** `run show`. */
export async function showRunAction(id: string, options: ClusterOptions): Promise<void> {
  await withOperator(options, async (operator) => {
    const run = await operator.showRun(id);
    if (options.json) return printJson(run);
    const timezone = await timezoneOf(operator, run.job);
    printRun(run, timezone);
    printLife(run, timezone);
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
    ['attempts', otherAttempts(run)],
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

/** How many others of its tick there are, and what lists them; null: it is the only one. */
function otherAttempts({ attempt, isFinal, job, result }: RunView): string | null {
  const [before, isFollowed] = [attempt - 1, result !== null && !isFinal];
  const others = [before > 0 ? `${before} before it` : [], isFollowed ? 'another after it' : []];
  const text = others.flat().join(', ');
  return text === '' ? null : `${text}: statecron runs --job ${shellWord(job)}`;
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

/** What its node has published of a run whose output is not kept. */
async function partOf(
  operator: ApiOperator,
  { launchId, result, startedAt }: RunView,
): Promise<Uint8Array | null> {
  if (launchId === null) return null;
  if (result === 'lost') return (await operator.readLive(launchId, 0)).output;
  return result === null && startedAt !== null ? writtenSoFar(operator, launchId) : null;
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
    const { launchId } = shown;
    const output = launchId === null ? null : await operator.readOutput(launchId);
    const isPart = output === null && !options.json;
    return { run: shown, kept: output, published: isPart ? await partOf(operator, shown) : null };
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
