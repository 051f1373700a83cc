import { exitCodes } from '../domain/errors.ts';
import { listRunning, listRuns, type RunFilter } from '../store/runs/listRuns.ts';
import type { RunShown } from '../store/runs/runRow.ts';
import { readOutput, showRun } from '../store/runs/showRun.ts';
import { stopRun } from '../store/runs/stopRun.ts';
import { waitForLaunch } from '../store/runs/waitForRequest.ts';
import type { DatabaseOptions } from './databaseOptions.ts';
import {
  isoOf,
  printFields,
  printJson,
  printJsonArray,
  printLine,
  printNote,
  printTable,
  writeOut,
} from './print.ts';
import { runJson } from './runJson.ts';
import { withChannel } from './withChannel.ts';

export interface RunsOptions extends DatabaseOptions {
  readonly job?: string;
  readonly since?: number;
  readonly limit?: number;
  readonly running?: boolean;
  readonly json?: boolean;
}

/** `runs`. */
export async function listRunsAction(options: RunsOptions): Promise<void> {
  const filter: RunFilter = {
    runsMax: options.limit ?? (options.json ? 1_000 : 50),
    ...(options.job === undefined ? {} : { job: options.job }),
    ...(options.since === undefined ? {} : { sinceMs: options.since }),
  };
  await withChannel(options, async (channel) => {
    const runs = options.running ? await listRunning(channel, filter) : listRuns(channel, filter);
    if (options.json) return printJsonArray(mapRuns(runs));
    const rows: string[][] = [];
    for await (const run of runs) rows.push(rowOf(run));
    if (rows.length > 0) printTable(headings, rows);
    else printNote(options.running ? 'Nothing executes now.' : 'There are no such runs.');
  });
}

async function* mapRuns(runs: AsyncIterable<RunShown> | Iterable<RunShown>) {
  for await (const run of runs) yield runJson(run);
}

const headings = ['ENDED', 'JOB', 'RESULT', 'SCHEDULED FOR', 'TOOK', 'NODE', 'LAUNCH'];

function rowOf(run: RunShown): string[] {
  const took =
    run.startedMs === null || run.endedMs === null
      ? '-'
      : `${((run.endedMs - run.startedMs) / 1000).toFixed(3)}s`;
  const range = run.ticks > 1 ? ` and ${run.ticks - 1} more` : '';
  return [
    isoOf(run.endedMs) ?? '-',
    run.job,
    resultText(run),
    `${isoOf(run.scheduledForMs)}${range}`,
    took,
    run.node ?? '-',
    run.launchId ?? '-',
  ];
}

function resultText(run: RunShown): string {
  if (run.result === null) return 'running';
  if (run.result !== 'failed') return run.result;
  return run.signal === null
    ? `failed (${run.exitCode ?? 'no process'})`
    : `failed (${run.signal})`;
}

/** `run show`. */
export async function showRunAction(
  launchId: string,
  options: DatabaseOptions & { json?: boolean },
): Promise<void> {
  const run = await withChannel(options, (channel) => showRun(channel, launchId));
  if (options.json) return printJson(runJson(run));
  printFields([
    ['launch', run.launchId],
    ['job', run.job],
    ['result', resultText(run)],
    ['reason', run.reason],
    ['exit code', run.exitCode === null ? null : `${run.exitCode}`],
    ['signal', run.signal],
    ['trigger', `${run.trigger}, attempt ${run.attempt}`],
    ['scheduled', isoOf(run.scheduledForMs)],
    ['started', isoOf(run.startedMs)],
    ['ended', isoOf(run.endedMs)],
    ['node', run.node],
    ['request', run.requestId],
    ['revision', `${run.revision}`],
    ['output', `${run.outputBytes} bytes${run.outputBytes > 0 ? '; see: statecron run log' : ''}`],
  ]);
}

/** `run log`: the bytes as they are, or as base64 in JSON. */
export async function logRunAction(
  launchId: string,
  options: DatabaseOptions & { json?: boolean },
): Promise<void> {
  const [run, output] = await withChannel(options, async (channel) => [
    await showRun(channel, launchId),
    await readOutput(channel, launchId),
  ]);
  if (options.json) {
    const bytes = Buffer.from(output ?? []);
    const { outputBytes } = run;
    printJson({
      launchId,
      outputBytes,
      keptBytes: bytes.length,
      text: bytes.toString('utf8'),
      base64: bytes.toString('base64'),
    });
    return;
  }
  if (output !== null) await writeOut(output);
  else if (run.result === null) printNote('It has not ended; its output comes with its end.');
  else printNote('It wrote nothing.');
}

/** `run stop`. */
export async function stopRunAction(
  launchId: string,
  options: DatabaseOptions & { json?: boolean; wait?: boolean },
): Promise<number> {
  return withChannel(options, async (channel) => {
    const answer = await stopRun(channel, launchId);
    const run = options.wait ? await waitForLaunch(channel, launchId) : null;
    if (options.json)
      printJson({ launchId, answer, ...(run === null ? {} : { run: runJson(run) }) });
    else if (run !== null) printLine(`${launchId}: ${resultText(run)}.`);
    else printLine(answers[answer].replace('ID', launchId));
    return exitCodes.ok;
  });
}

const answers = {
  withdrawn: 'ID is withdrawn: it had not started and never will.',
  asked: 'ID is being stopped; its node sends SIGTERM within seconds.',
  ended: 'ID was stopped before.',
} as const;
