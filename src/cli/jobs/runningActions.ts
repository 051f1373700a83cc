import { randomUUID } from 'node:crypto';
import { exitCodes } from '../../domain/errors/errors.ts';
import { requestEnv } from '../../domain/job/edit/requestEnv.ts';
import { counted } from '../../domain/text/counted.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import { printJobAnswer, type TickedJob } from '../connect/printJobAnswer.ts';
import { inZoneOf } from '../connect/readTimezones.ts';
import { withOperator } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { readRequestId } from '../options/readOptions.ts';
import type { readPast } from '../options/readTime.ts';
import { requireWait, type WaitOptions } from '../options/waitOptions.ts';
import { formatInstant } from '../output/formatInstant.ts';
import { printJson, printLine, printNote } from '../output/print.ts';
import { usageFault } from '../output/reportFault.ts';
import { instantLine } from '../output/table/cells.ts';
import { type AwaitedRun, runOfRequest, waitAndPrint, whyWaiting } from '../runs/waitForRun.ts';
import { type BulkOptions, bulkAction, requireNameAlone } from './bulkAction.ts';
import { nextText } from './jobActions.ts';

interface JobRunOptions extends ClusterOptions, WaitOptions {
  readonly env?: readonly string[];
  readonly node?: string;
  readonly ignoreOverlap?: boolean;
  readonly requestId?: string;
}

/** `job run`: resolves to the exit code, with --wait the job's. */
export async function runJobAction(
  name: string | undefined,
  options: JobRunOptions & BulkOptions,
): Promise<number> {
  if (name === undefined) {
    requireNoOwn(options);
    const requestId = readRequestId(options.requestId);
    return bulkAction('run', options, requestId === null ? {} : { requestId });
  }
  requireNameAlone('run', options);
  requireWait(options);
  const requestId = readRequestId(options.requestId) ?? randomUUID();
  const request = {
    env: requestEnv(options.env ?? []),
    wantedNode: options.node ?? null,
    ignoresOverlap: options.ignoreOverlap === true,
  };
  return withOperator(options, async (operator) => {
    const requested = await operator.runJob(name, requestId, request);
    const run = runOfRequest(name, requestId, options.node);
    if (options.wait) {
      const again = `Wait again with the same command and: --request-id ${requestId}`;
      return waitAndPrint(operator, run, options, again);
    }
    if (options.json) printJson(requested);
    else if (requested.isNew) await printRequested(operator, run, requestId);
    else printLine(`The run of ${name} was requested already (request ${requestId}).`);
    return exitCodes.ok;
  });
}

/** What is said of one run is not said of many. */
function requireNoOwn({ env, ignoreOverlap, node, raw, wait, waitTimeout }: JobRunOptions): void {
  const own = {
    ...{ env, 'ignore-overlap': ignoreOverlap, node, raw, wait },
    'wait-timeout': waitTimeout,
  };
  const [flag] = Object.entries(own).flatMap(([name, value]) => (value === undefined ? [] : name));
  if (flag === undefined) return;
  throw usageFault(`--${flag}: goes with NAME alone.`, 'See: statecron job run --help');
}

async function printRequested(
  operator: ApiOperator,
  run: AwaitedRun,
  requestId: string,
): Promise<void> {
  printLine(`Requested a run of ${run.name} (request ${requestId}).`);
  const why = await whyWaiting(operator, run);
  const turn =
    'It starts within seconds, unless a run of the job, a limit or busy nodes hold it up.';
  printNote(why ?? turn);
  printNote(`See: statecron run show ${requestId}`);
}

/** `job skip-next`. */
export async function skipNextAction(
  name: string,
  options: ClusterOptions & { readonly count: number },
): Promise<void> {
  const send = (operator: ApiOperator) => operator.skipNext(name, options.count);
  await printJobAnswer(name, options, send, ({ skipped }, job) => {
    for (const { nodeName, ticks, next } of skipped) {
      const where = nodeName === '' ? '' : ` on ${nodeName}`;
      const which = ticks.map((tick) => formatInstant(tick, job.timezone)).join(', ') || 'nothing';
      const then = next === null ? '' : `; ${nextText(next, job)}`;
      printLine(`Skipped ${which} of ${name}${where}${then}.`);
    }
  });
}

interface BackfillOptions extends ClusterOptions {
  readonly from: ReturnType<typeof readPast>;
  readonly to: ReturnType<typeof readPast>;
  readonly max: number;
  readonly requestId?: string;
  readonly dryRun?: boolean;
}

/** `backfill`. */
export async function backfillAction(job: string, options: BackfillOptions): Promise<void> {
  const { max: ticksMax, dryRun = false } = options;
  let requestId = readRequestId(options.requestId);
  const send = async (operator: ApiOperator, { timezone }: TickedJob) => {
    const fromMs = await inZoneOf(operator, job, options.from, timezone);
    const untilMs = await inZoneOf(operator, job, options.to, timezone);
    if (untilMs < fromMs) throw usageFault('--to: is before --from.');
    requestId ??= `backfill:${fromMs}-${untilMs}`;
    return operator.backfillJob(job, requestId, { fromMs, untilMs, ticksMax }, dryRun);
  };
  await printJobAnswer(job, options, send, ({ ticks, added }, { timezone = 'UTC' }) => {
    if (dryRun) for (const tick of added) printLine(instantLine(tick, timezone));
    const before = ticks.length - added.length;
    const rest = before === 0 ? '' : `; ${counted(before, 'was', 'were')} requested before`;
    const verb = dryRun ? 'Would request' : 'Requested';
    printNote(`${verb} ${counted(added.length, 'run')} of ${job} (request ${requestId})${rest}.`);
  });
}
