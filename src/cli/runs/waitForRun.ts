import { setTimeout as sleep } from 'node:timers/promises';
import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import { shellWord } from '../../domain/text/quoteForShell.ts';
import type { RunView } from '../../http/contract/runContract.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import type { ShownJobView } from '../../http/views/jobView.ts';
import type { WaitOptions } from '../options/waitOptions.ts';
import { exitCodeOf, howEnded } from '../output/exitCodeOf.ts';
import { formatInstant } from '../output/formatInstant.ts';
import { ForeignOutput, printJson, printNote } from '../output/print.ts';
import { ProgressLine } from '../output/progressLine.ts';
import { runName, seeRun } from '../output/runName.ts';
import { EndedAttempts } from './sayAttempts.ts';

/** A run that is waited for. */
export interface AwaitedRun {
  readonly name: string;
  /** The node that alone may run it. */
  readonly node?: string | undefined;
  /** What takes it back while it waits; absent: nothing does. */
  readonly requestId?: string;
  /** The first attempt that is waited for; absent: that of a new run. */
  readonly firstAttempt?: number;
  readonly look: (operator: ApiOperator) => Promise<RunView>;
  /** Resolves to it when it has ended for good; to null when `timeoutMs` is over before. */
  readonly wait: (operator: ApiOperator, timeoutMs?: number) => Promise<RunView | null>;
}

/** The run of a request. */
export function runOfRequest(name: string, requestId: string, node?: string): AwaitedRun {
  return {
    ...{ name, node, requestId },
    look: (operator) => operator.showRun(requestId),
    wait: (operator, timeoutMs) => operator.waitForRequest(requestId, timeoutMs),
  };
}

/** Where a run stands. */
interface Standing {
  readonly run: RunView;
  /** Null: nothing that has not been said. */
  readonly text: string | null;
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
  const { run, said } = await waitForRun(operator, awaited, waitTimeout);
  if (run === null) throw await notEnded(operator, awaited, again);
  if (json) printJson(run);
  else await printEnded(operator, run, { raw, said });
  return exitCodeOf(run);
}

async function notEnded(
  operator: ApiOperator,
  { look, name, requestId }: AwaitedRun,
  again: string,
): Promise<OperatorError> {
  const run = await look(operator).catch(() => null);
  const hasBegun = run === null || run.attempt > 1 || run.startedAt !== null;
  const back = requestId === undefined ? '' : ` Take it back: statecron run stop ${requestId}.`;
  return new OperatorError({
    code: 'wait_timeout',
    message: `The run of ${JSON.stringify(name)} had not ${hasBegun ? 'ended' : 'begun'} in time.`,
    hint: `${hasBegun ? 'It goes on.' : `It still waits.${back}`} ${again}`,
    exitCode: exitCodes.tryAgain,
  });
}

async function printEnded(
  operator: ApiOperator,
  run: RunView,
  { raw, said }: { readonly raw: boolean | undefined; readonly said: string },
): Promise<void> {
  const output = run.launchId === null ? null : await operator.readOutput(run.launchId);
  if (output !== null) await new ForeignOutput(raw).end(output);
  // Its start has named it by its launch, for want of a number.
  const launch = isNamed(run, said) ? ` (${run.launchId})` : '';
  printNote(`${howEnded(run)}, ${runName(run)}${launch}; ${seeRun(run)}`);
}

/**
 * Waits for the end of a run; null when `timeoutMs` is over before. Meanwhile it says on stderr
 * what the run waits for and that it started: a line for each change, and on a terminal how long
 * it has been. `said` is the last of these lines.
 */
async function waitForRun(
  operator: ApiOperator,
  awaited: AwaitedRun,
  timeoutMs?: number,
): Promise<{ readonly run: RunView | null; readonly said: string }> {
  const ended = new AbortController();
  const line = new ProgressLine();
  const attempts = new EndedAttempts(line, awaited.firstAttempt);
  const waiting = awaited.wait(operator, timeoutMs);
  const saying = sayStanding(operator, awaited, { attempts, line, ended: ended.signal });
  let said = '';
  const run = await waiting.finally(async () => {
    ended.abort();
    said = await saying;
  });
  // It has ended, whether or not this can be read.
  if (run !== null) await attempts.say(operator, run).catch(() => undefined);
  // One that is over within a moment was not seen while it ran.
  if (run !== null && run.startedAt !== null && !isNamed(run, said)) {
    printNote(startedText(run));
  }
  return { run, said };
}

const isNamed = ({ launchId }: RunView, said: string): boolean =>
  launchId !== null && said.includes(launchId);

const startedText = (run: RunView): string =>
  `${run.job}: started on ${run.node} (${runName(run)}).`;

/** Resolves to what it has said last. */
async function sayStanding(
  operator: ApiOperator,
  awaited: AwaitedRun,
  { attempts, line, ended }: { attempts: EndedAttempts; line: ProgressLine; ended: AbortSignal },
): Promise<string> {
  let said = '';
  let last: { text: string | null; sinceMs: number } = { text: null, sinceMs: 0 };
  do {
    // What cannot be read now is read a second later; that the cluster is away, the wait says.
    const standing = await readStanding(operator, awaited).catch(() => null);
    if (standing !== null) {
      const { isUsual, run, text } = standing;
      // As above: what was not said yet is said by the next look.
      await attempts.say(operator, run).catch(() => undefined);
      const nowMs = performance.now();
      if (text !== last.text) last = { text, sinceMs: nowMs };
      const isNews = text !== said && (!isUsual || nowMs - last.sinceMs >= usualMs);
      if (isNews && text !== null) {
        line.end();
        printNote(text);
        said = text;
      }
      line.show(() => `${awaited.name}: ${run.startedAt === null ? 'waiting' : 'running'}`);
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
  if (run.startedAt !== null) return { run, text: startedText(run), isUsual: false };
  // What was said of the attempt before says when it comes.
  if (run.attempt > 1) return { run, text: null, isUsual: true };
  const why = run.launchId === null ? await heldBackBy(operator, job, run, awaited.node) : null;
  const usual = run.node === null ? (awaited.node ?? 'a node that has room for it') : taker(run);
  return { run, text: `${name}: waits for ${why ?? usual}.`, isUsual: why === null };
}

const taker = ({ node }: RunView): string =>
  `its start on ${node}, which has taken it and starts it at its time`;

/** What a run waits for that no node has taken; null: for a node to take it. */
async function heldBackBy(
  operator: ApiOperator,
  job: ShownJobView,
  { nodeName }: RunView,
  wantedNode: string | undefined,
): Promise<string | null> {
  const mayRunOn = job.mayRunOn.filter((node) => [undefined, node].includes(wantedNode));
  if (mayRunOn.length === 0) return noNode(operator, job.job, wantedNode);
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

async function noNode(
  operator: ApiOperator,
  job: string,
  wantedNode: string | undefined,
): Promise<string> {
  if (wantedNode !== undefined) return `the node ${wantedNode}, which may not run it now`;
  const { sessions } = await operator.listSessions();
  return sessions.some(({ isLive }) => isLive)
    ? `a node that may run it, and none that is live may; see: statecron job why ${shellWord(job)}`
    : 'a node, and none is live';
}
