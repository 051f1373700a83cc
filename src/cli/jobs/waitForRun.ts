import { setTimeout as sleep } from 'node:timers/promises';
import type { RunView } from '../../http/contract/runContract.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import type { ShownJobView } from '../../http/views/jobView.ts';
import { formatInstant } from '../output/formatInstant.ts';
import { printNote } from '../output/print.ts';
import { ProgressLine } from '../output/progressLine.ts';
import { runName } from '../output/runName.ts';

export interface RequestedRun {
  readonly name: string;
  readonly requestId: string;
  /** The node that alone may run it. */
  readonly node?: string | undefined;
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
 * Waits for the end of a requested run; null when `timeoutMs` is over before. Meanwhile it says on
 * stderr what the run waits for and that it started: a line for each change, and on a terminal
 * how long it has been.
 */
export async function waitForRun(
  operator: ApiOperator,
  requested: RequestedRun,
  timeoutMs?: number,
): Promise<RunView | null> {
  const ended = new AbortController();
  const waiting = operator.waitForRequest(requested.requestId, timeoutMs);
  const saying = sayStanding(operator, requested, ended.signal);
  try {
    return await waiting;
  } finally {
    ended.abort();
    await saying;
  }
}

async function sayStanding(
  operator: ApiOperator,
  requested: RequestedRun,
  ended: AbortSignal,
): Promise<void> {
  const line = new ProgressLine();
  let [last, said] = [{ text: '', sinceMs: 0 }, ''];
  do {
    // What cannot be read now is read a second later; that the cluster is away, the wait says.
    const standing = await readStanding(operator, requested).catch(() => null);
    if (standing !== null) {
      const { isUsual, state, text } = standing;
      const nowMs = performance.now();
      if (text !== last.text) last = { text, sinceMs: nowMs };
      if (text !== said && (!isUsual || nowMs - last.sinceMs >= usualMs)) {
        line.end();
        printNote(text);
        said = text;
      }
      line.show(() => `${requested.name}: ${state}`);
    }
    // The end of the wait ends the sleep.
    await sleep(lookMs, undefined, { signal: ended }).catch(() => undefined);
  } while (!ended.aborted);
  line.end();
}

/** What a requested run waits for, where there is anything but its turn; null: it is not known. */
export async function whyWaiting(
  operator: ApiOperator,
  requested: RequestedRun,
): Promise<string | null> {
  const standing = await readStanding(operator, requested).catch(() => null);
  return standing === null || standing.isUsual ? null : standing.text;
}

/** Null: it has ended. */
async function readStanding(
  operator: ApiOperator,
  requested: RequestedRun,
): Promise<Standing | null> {
  const { name, requestId } = requested;
  // The job first: of a run that waits afterwards, nothing that executes in it is the launch.
  const job = await operator.showJob(name);
  const run = await operator.showRun(requestId);
  if (run.result !== null) return null;
  if (run.startedAt !== null) {
    const text = `${name}: started on ${run.node} (${runName(run)}).`;
    return { state: 'running', text, isUsual: false };
  }
  const why = run.launchId === null ? await heldBackBy(operator, job, run, requested.node) : null;
  const usual = run.node ?? requested.node ?? 'a node that has room for it';
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
    const where = `${first.launchId} on ${first.node}`;
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
