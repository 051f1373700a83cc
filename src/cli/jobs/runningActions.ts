import { randomUUID } from 'node:crypto';
import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import { requestEnv } from '../../domain/job/edit/requestEnv.ts';
import { counted } from '../../domain/text/counted.ts';
import type { RunView } from '../../http/contract/runContract.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import { printJobAnswer } from '../connect/printJobAnswer.ts';
import { readTimezones } from '../connect/readTimezones.ts';
import { withOperator } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { readRequestId } from '../options/readOptions.ts';
import { exitCodeOf, howEnded } from '../output/exitCodeOf.ts';
import { formatInstant } from '../output/formatInstant.ts';
import { ForeignOutput, printJson, printLine, printNote } from '../output/print.ts';
import { usageFault } from '../output/reportFault.ts';
import { runName, seeRun } from '../output/runName.ts';
import { instantLine } from '../output/table/cells.ts';
import { type BulkOptions, bulkAction, requireNameAlone } from './bulkAction.ts';
import { nextText } from './jobActions.ts';
import { type RequestedRun, waitForRun, whyWaiting } from './waitForRun.ts';

interface JobRunOptions extends ClusterOptions {
  readonly env?: readonly string[];
  readonly node?: string;
  readonly ignoreOverlap?: boolean;
  readonly wait?: boolean;
  readonly waitTimeout?: number;
  readonly raw?: boolean;
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
  if (options.waitTimeout !== undefined && options.wait !== true) {
    throw usageFault('--wait-timeout: needs --wait; without it nothing is waited for.');
  }
  const requestId = readRequestId(options.requestId) ?? randomUUID();
  const request = {
    env: requestEnv(options.env ?? []),
    wantedNode: options.node ?? null,
    ignoresOverlap: options.ignoreOverlap === true,
  };
  return withOperator(options, async (operator) => {
    const requested = await operator.runJob(name, requestId, request);
    const run = { name, requestId, node: options.node };
    if (!options.wait) {
      if (options.json) printJson(requested);
      else if (requested.isNew) await printRequested(operator, run);
      else printLine(`The run of ${name} was requested already (request ${requestId}).`);
      return exitCodes.ok;
    }
    const ended = await waitForRun(operator, run, options.waitTimeout);
    if (ended === null) throw stillWaiting(name, requestId);
    if (options.json) printJson(ended);
    else await printRun(operator, ended, options.raw);
    return exitCodeOf(ended);
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

async function printRun(operator: ApiOperator, run: RunView, isRaw?: boolean): Promise<void> {
  const output = run.launchId === null ? null : await operator.readOutput(run.launchId);
  if (output !== null) await new ForeignOutput(isRaw).end(output);
  printNote(`${howEnded(run)}, ${runName(run)}; ${seeRun(run)}`);
}

async function printRequested(operator: ApiOperator, run: RequestedRun): Promise<void> {
  const { name, requestId } = run;
  printLine(`Requested a run of ${name} (request ${requestId}).`);
  const why = await whyWaiting(operator, run);
  const turn =
    'It starts within seconds, unless a run of the job, a limit or busy nodes hold it up.';
  printNote(why ?? turn);
  printNote(`See: statecron run show ${requestId}`);
}

function stillWaiting(name: string, requestId: string): OperatorError {
  return new OperatorError({
    code: 'wait_timeout',
    message: `The run of ${JSON.stringify(name)} had not ended in time (request ${requestId}).`,
    hint: `It goes on. Wait again with the same command and: --request-id ${requestId}`,
    exitCode: exitCodes.tryAgain,
  });
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
  readonly from: (timezone: string) => number;
  readonly to: (timezone: string) => number;
  readonly max: number;
  readonly requestId?: string;
  readonly dryRun?: boolean;
}

/** `backfill`. */
export async function backfillAction(job: string, options: BackfillOptions): Promise<void> {
  const { max: ticksMax, dryRun = false } = options;
  let requestId = readRequestId(options.requestId);
  const send = async (operator: ApiOperator) => {
    // A day begins in the zone of the job.
    const timezone = (await readTimezones(operator, [job]))(job);
    const [fromMs, untilMs] = [options.from(timezone), options.to(timezone)];
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
