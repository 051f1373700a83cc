import { setTimeout as sleep } from 'node:timers/promises';
import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import { FollowedOutput } from '../../domain/run/followedOutput.ts';
import type { RunView } from '../../http/contract/runContract.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import { databaseFault } from '../../store/connection/databaseFault.ts';
import { withOperator } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { exitCodeOf, howEnded } from '../output/exitCodeOf.ts';
import { ForeignOutput, printNote } from '../output/print.ts';
import { usageFault } from '../output/reportFault.ts';
import { runName } from '../output/runName.ts';
import { sayWhichRun } from './sayWhichRun.ts';

const lookMs = 500;
/** The node stops publishing ten seconds after the last request. */
const requestMs = 3_000;
/** A node looks for requests every two seconds. */
const patienceMs = 15_000;
const reportMs = 5_000;
/** How long the database may be away. */
export const awayMsMax = 60_000;

/**
 * `run log --follow`: prints what the run writes, as its node publishes it, until it has ended.
 * Resolves to the exit code of the run's result.
 */
export async function followRun(
  id: string,
  options: ClusterOptions & { readonly raw?: boolean },
): Promise<number> {
  if (options.json) throw usageFault('--json and --follow do not go together.');
  return withOperator(options, async (operator) => {
    const shown: Shown = { followed: new FollowedOutput(), output: new ForeignOutput(options.raw) };
    const first = await operator.showRun(id);
    await sayWhichRun(operator, id, first);
    const run = await untilEnded(operator, first, shown);
    const { launchId } = run;
    const hasRest = launchId === null || (await printRest(operator, launchId, run, shown));
    await shown.output.end();
    if (run.result === 'lost' && !hasRest) {
      printNote('What it wrote after that is not kept: the node ended before it could record it.');
    }
    printNote(`${howEnded(run)}, ${runName(run)}`);
    return exitCodeOf(run);
  });
}

/** What a run under way has written up to now; null: nothing, or its node reports nothing. */
export async function writtenSoFar(
  operator: ApiOperator,
  launchId: string,
): Promise<Uint8Array | null> {
  // What is there already is as old as the request of whoever followed it before.
  const { isReported: isOld } = await operator.readLive(launchId, 0);
  await operator.requestLive(launchId);
  const sinceMs = performance.now();
  for (;;) {
    const { isReported, output } = await operator.readLive(launchId, 0);
    const waitedMs = performance.now() - sinceMs;
    if (waitedMs > reportMs || (isReported && (!isOld || waitedMs > requestMs))) return output;
    await sleep(lookMs);
  }
}

interface Shown {
  readonly followed: FollowedOutput;
  readonly output: ForeignOutput;
}

/** Resolves to whether the output is kept. What a lost run published is all that is left of it. */
async function printRest(
  operator: ApiOperator,
  launchId: string,
  { outputBytes, result }: RunView,
  { followed, output }: Shown,
): Promise<boolean> {
  if (result !== 'lost') await operator.endLive(launchId);
  const kept = await operator.readOutput(launchId);
  const rest = kept === null ? [] : followed.finish(kept, outputBytes);
  for (const piece of rest) await output.write(piece);
  return kept !== null;
}

async function untilEnded(operator: ApiOperator, first: RunView, shown: Shown): Promise<RunView> {
  const { launchId } = first;
  let run = first;
  let answeredMs = performance.now();
  let requestedMs = Number.NEGATIVE_INFINITY;
  let silentSinceMs: number | null = null;
  while (run.result === null && launchId !== null) {
    const now = performance.now();
    try {
      if (now - requestedMs >= requestMs) {
        await operator.requestLive(launchId);
        requestedMs = now;
      }
      const isPublished = await show(operator, launchId, shown);
      if (run.startedAt === null || isPublished) silentSinceMs = null;
      else silentSinceMs = noteSilence(silentSinceMs ?? now, now);
      run = await operator.showRun(launchId);
      answeredMs = performance.now();
    } catch (error) {
      if (!isAway(error) || performance.now() - answeredMs > awayMsMax) throw error;
    }
    if (run.result === null) await sleep(lookMs);
  }
  return run;
}

export function isAway(error: unknown): boolean {
  const fault = error instanceof OperatorError ? error : databaseFault(error);
  return fault?.exitCode === exitCodes.databaseAway;
}

/** Whether the node has published anything of it, be it that nothing was written. */
async function show(
  operator: ApiOperator,
  launchId: string,
  { followed, output }: Shown,
): Promise<boolean> {
  const look = await operator.readLive(launchId, followed.seenBytes);
  if (look.output !== null) {
    for (const piece of followed.take(look.output, look.outputBytes)) await output.write(piece);
  }
  return look.isReported;
}

/** Says once that the node is silent; resolves to since when it has been. */
function noteSilence(sinceMs: number, nowMs: number): number {
  if (nowMs - sinceMs < patienceMs) return sinceMs;
  if (Number.isFinite(sinceMs)) {
    printNote('Its node reports nothing: it is away, or runs an older version. Still waiting.');
  }
  return Number.POSITIVE_INFINITY;
}
