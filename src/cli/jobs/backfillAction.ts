import { withOperator } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { readRequestId } from '../options/readRequestId.ts';
import { printJson, printLine, printNote } from '../output/print.ts';
import { usageFault } from '../output/reportFault.ts';

interface BackfillOptions extends ClusterOptions {
  readonly from: number;
  readonly to: number;
  readonly max: number;
  readonly requestId?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `backfill`. */
export async function backfillAction(job: string, options: BackfillOptions): Promise<void> {
  const { from: fromMs, to: untilMs, max: ticksMax, dryRun = false } = options;
  if (untilMs < fromMs) throw usageFault('--to: is before --from.');
  const requestId = readRequestId(options.requestId) ?? `backfill:${fromMs}-${untilMs}`;
  const range = { fromMs, untilMs, ticksMax };
  const backfill = await withOperator(options, (operator) =>
    operator.backfillJob(job, requestId, range, dryRun),
  );
  if (options.json) return printJson(backfill);
  const { ticks, added } = backfill;
  if (dryRun) for (const tick of added) printLine(tick);
  const before = ticks.length - added.length;
  const rest = before === 0 ? '' : `; ${before} were asked for before`;
  const verb = dryRun ? 'Would ask' : 'Asked';
  printNote(`${verb} for ${added.length} runs of ${job} (request ${requestId})${rest}.`);
}
