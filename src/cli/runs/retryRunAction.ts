import { withOperator } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { printJson, printLine } from '../output/print.ts';

/** `run retry`. */
export async function retryRunAction(
  id: string,
  options: ClusterOptions & { readonly json?: boolean },
): Promise<void> {
  const retried = await withOperator(options, (operator) => operator.retryRun(id));
  if (options.json) return printJson(retried);
  const { job, launchId, attempt, isNew } = retried;
  printLine(
    isNew
      ? `Asked for attempt ${attempt} of ${job} after ${launchId}.`
      : `Attempt ${attempt} of ${job} is waiting or going on already.`,
  );
}
