import { randomUUID } from 'node:crypto';
import { constants } from 'node:os';
import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import { requestEnv } from '../../domain/job/edit/requestEnv.ts';
import type { RunView } from '../../http/contract/runContract.ts';
import type { ShownOperator } from '../../http/views/shownOperator.ts';
import { withOperator } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { readRequestId } from '../options/readRequestId.ts';
import { ForeignOutput, printJson, printLine, printNote } from '../output/print.ts';
import { usageFault } from '../output/reportFault.ts';

interface JobRunOptions extends ClusterOptions {
  readonly env?: readonly string[];
  readonly node?: string;
  readonly ignoreOverlap?: boolean;
  readonly wait?: boolean;
  readonly waitTimeout?: number;
  readonly raw?: boolean;
  readonly requestId?: string;
  readonly json?: boolean;
}

/** `job run`: resolves to the exit code, with --wait the job's. */
export async function runJobAction(name: string, options: JobRunOptions): Promise<number> {
  if (options.waitTimeout !== undefined && options.wait !== true) {
    throw usageFault('--wait-timeout: say --wait, too; without it nothing is waited for.');
  }
  const requestId = readRequestId(options.requestId) ?? randomUUID();
  const wishes = {
    env: requestEnv(options.env ?? []),
    wantedNode: options.node ?? null,
    ignoresOverlap: options.ignoreOverlap === true,
  };
  return withOperator(options, async (operator) => {
    const asked = await operator.runJob(name, requestId, wishes);
    if (!options.wait) {
      if (options.json) printJson(asked);
      else if (asked.isNew) {
        printLine(`Asked for a run of ${name} (request ${requestId}).`);
        printNote(`It starts within a second or two; see: statecron runs --job ${name}`);
      } else printLine(`The run of ${name} was asked for already (request ${requestId}).`);
      return exitCodes.ok;
    }
    await noteNoNode(operator);
    const run = await operator.waitForRequest(requestId, options.waitTimeout);
    if (run === null) throw stillWaiting(name, requestId);
    if (options.json) printJson(run);
    else await printRun(operator, run, options.raw);
    return exitCodeOf(run);
  });
}

/**
 * What a shell would say of the run: the exit code, 128 + n for a signal, 1 when it did not run.
 */
export function exitCodeOf(run: Pick<RunView, 'result' | 'exitCode' | 'signal'>): number {
  if (run.result === 'succeeded') return exitCodes.ok;
  if (run.signal !== null) {
    const number = constants.signals[run.signal as NodeJS.Signals] as number | undefined;
    if (number !== undefined) return 128 + number;
  }
  // A run that was stopped or timed out may have ended with 0 and did not succeed for that.
  return run.exitCode || exitCodes.failed;
}

async function printRun(operator: ShownOperator, run: RunView, isRaw?: boolean): Promise<void> {
  const output = run.launchId === null ? null : await operator.readOutput(run.launchId);
  if (output !== null) await new ForeignOutput(isRaw).end(output);
  const how = run.reason ?? run.signal ?? (run.exitCode ? `exit ${run.exitCode}` : null);
  const reason = how === null ? '' : ` (${how})`;
  printNote(
    `${run.job}: ${run.result}${reason}${run.launchId === null ? '' : `, ${run.launchId}`}`,
  );
}

/** Whoever waits for nobody is told so. */
async function noteNoNode(operator: ShownOperator): Promise<void> {
  const { sessions } = await operator.listSessions();
  if (!sessions.some(({ isLive }) => isLive)) {
    printNote('No node is live now; this waits for one (see: statecron node --help).');
  }
}

function stillWaiting(name: string, requestId: string): OperatorError {
  return new OperatorError({
    code: 'wait_timeout',
    message: `The run of ${JSON.stringify(name)} had not ended in time (request ${requestId}).`,
    hint: `It goes on. Ask again with: statecron job run … --wait --request-id ${requestId}`,
    exitCode: exitCodes.tryAgain,
  });
}
