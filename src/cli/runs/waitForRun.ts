import { setTimeout as sleep } from 'node:timers/promises';
import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import type { RunView } from '../../http/contract/runContract.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import type { ShownJobView } from '../../http/views/jobView.ts';
import type { WaitOptions } from '../options/waitOptions.ts';
import { exitCodeOf, howEnded } from '../output/exitCodeOf.ts';
import { formatInstant } from '../output/formatInstant.ts';
import { ForeignOutput, printJson, printNote } from '../output/print.ts';
import { ProgressLine } from '../output/progressLine.ts';
import { runName, seeRun } from '../output/runName.ts';

/** A run that is waited for. */
export interface AwaitedRun {
  readonly name: string;
  /** The node that alone may run it. */
  readonly node?: string | undefined;
  readonly look: (operator: ApiOperator) => Promise<RunView>;
  /** Resolves to it when it has ended for good; to null when `timeoutMs` is over before. */
  readonly wait: (operator: ApiOperator, timeoutMs?: number) => Promise<RunView | null>;
}

/** The run of a request. */
export function runOfRequest(name: string, requestId: string, node?: string): AwaitedRun {
  return {
    ...{ name, node },
    look: (operator) => operator.showRun(requestId),
    wait: (operator, timeoutMs) => operator.waitForRequest(requestId, timeoutMs),
  };
}

/** Where a run stands. */
interface Standing {
  readonly state: 'waiting' | 'running';
  readonly text: string;
  /** As every run is for a second or two: it is no news before it lasts. */
  readonly isUsual: boolean;
}

const lookMs = 1_000;
const usualMs = 4_000;

/**
 * Waits for the end of a run and prints it; resolves to its exit code.
 * @param again how to wait further when the time is over
 * @throws OperatorError `wait_timeout` (75)
 */
export async function waitAndPrint(
  operator: ApiOperator,
  awaited: AwaitedRun,
  { json, raw, waitTimeout }: WaitOptions,
  again: string,
): Promise<number> {
  const run = await waitForRun(operator, awaited, waitTimeout);
  if (run === null) {
    const message = `The run of ${JSON.stringify(awaited.name)} had not ended in time.`;
    const hint = `It goes on. ${again}`;
    const fault = { code: 'wait_timeout', message, hint, exitCode: exitCodes.tryAgain } as const;
    throw new OperatorError(fault);
  }
  if (json) printJson(run);
  else await printEnded(operator, run, raw);
  return exitCodeOf(run);
}

async function printEnded(operator: ApiOperator, run: RunView, isRaw?: boolean): Promise<void> {
  const output = run.launchId === null ? null : await operator.readOutput(run.launchId);
  if (output !== null) await new ForeignOutput(isRaw).end(output);
  printNote(`${howEnded(run)}, ${runName(run)}; ${seeRun(run)}`);
}

/**
 * Waits for the end of a run; null when `timeoutMs` is over before. Meanwhile it says on stderr
 * what the run waits for and that it started: a line for each change, and on a terminal how long
 * it has been.
 */
async function waitForRun(
  operator: ApiOperator,
  awaited: AwaitedRun,
  timeoutMs?: number,
): Promise<RunView | null> {
  const ended = new AbortController();
  const waiting = awaited.wait(operator, timeoutMs);
  const saying = sayStanding(operator, awaited, ended.signal);
  let said = '';
  const run = await waiting.finally(async () => {
    ended.abort();
    said = await saying;
  });
  // One that is over within a moment was not seen while it ran.
  if (run !== null && run.startedAt !== null) {
    const started = startedText(awaited.name, run);
    if (!said.startsWith(started)) printNote(`${started}(${runName(run)}).`);
  }
  return run;
}

const startedText = (name: string, { node }: RunView): string => `${name}: started on ${node} `;

/** Resolves to what it has said last. */
async function sayStanding(
  operator: ApiOperator,
  awaited: AwaitedRun,
  ended: AbortSignal,
): Promise<string> {
  const line = new ProgressLine();
  let [last, said] = [{ text: '', sinceMs: 0 }, ''];
  do {
    // What cannot be read now is read a second later; that the cluster is away, the wait says.
    const standing = await readStanding(operator, awaited).catch(() => null);
    if (standing !== null) {
      const { isUsual, state, text } = standing;
      const nowMs = performance.now();
      if (text !== last.text) last = { text, sinceMs: nowMs };
      if (text !== said && (!isUsual || nowMs - last.sinceMs >= usualMs)) {
        line.end();
        printNote(text);
        said = text;
      }
      line.show(() => `${awaited.name}: ${state}`);
    }
    // The end of the wait ends the sleep.
    await sleep(lookMs, undefined, { signal: ended }).catch(() => undefined);
  } while (!ended.aborted);
  line.end();
  return said;
}

/** What a requested run waits for, where there is anything but its turn; null: it is not known. */
export async function whyWaiting(
  operator: ApiOperator,
  awaited: AwaitedRun,
): Promise<string | null> {
  const standing = await readStanding(operator, awaited).catch(() => null);
  return standing === null || standing.isUsual ? null : standing.text;
}

/** Null: it has ended. */
async function readStanding(operator: ApiOperator, awaited: AwaitedRun): Promise<Standing | null> {
  const { name } = awaited;
  // The job first: of a run that waits afterwards, nothing that executes in it is the launch.
  const job = await operator.showJob(name);
  const run = await awaited.look(operator);
  if (run.result !== null) return null;
  if (run.startedAt !== null) {
    const text = `${startedText(name, run)}(${runName(run)}).`;
    return { state: 'running', text, isUsual: false };
  }
  const why = run.launchId === null ? await heldBackBy(operator, job, run, awaited.node) : null;
  const usual = run.node ?? awaited.node ?? 'a node that has room for it';
  return { state: 'waiting', text: `${name}: waits for ${why ?? usual}.`, isUsual: why === null };
}

/** What a run waits for that no node has taken; null: for a node to take it. */
async function heldBackBy(
  operator: ApiOperator,
  job: ShownJobView,
  { attempt, nodeName }: RunView,
  wantedNode: string | undefined,
): Promise<string | null> {
  if (attempt > 1) return `attempt ${attempt}, which comes after the retry delay`;
  const mayRunOn = job.mayRunOn.filter((node) => [undefined, node].includes(wantedNode));
  if (mayRunOn.length === 0) return noNode(operator, wantedNode);
  const slots = job.slots.filter((slot) => slot.nodeName === nodeName);
  const executing = slots.filter(({ state }) => state === 'executing');
  const [first] = executing;
  if (first !== undefined && executing.length === slots.length) {
    const since = formatInstant(first.startedAt, `${job.definition.timezone}`);
    const more = executing.length > 1 ? ` and ${executing.length - 1} more` : '';
    const how = first.stopping ? 'is being stopped' : 'goes on';
    const where = `${runName({ ...first, runId: null })} on ${first.node}`;
    return `the run of the job that ${how}: ${where}, since ${since}${more}`;
  }
  const limit = (await operator.listLimits()).find(({ group }) => group === job.group);
  if (limit === undefined || limit.held < limit.max) return null;
  const runs = limit.max === 1 ? '1 run' : `${limit.max} runs`;
  return `the limit of its group ${limit.group} (${runs} at once)`;
}

async function noNode(operator: ApiOperator, wantedNode: string | undefined): Promise<string> {
  if (wantedNode !== undefined) return `the node ${wantedNode}, which may not run it now`;
  const { sessions } = await operator.listSessions();
  return sessions.some(({ isLive }) => isLive)
    ? 'a node that may run it, and none that is live may'
    : 'a node, and none is live';
}
