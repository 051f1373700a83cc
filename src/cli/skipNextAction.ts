import { skippedView } from '../http/views/jobView.ts';
import type { ClusterOptions } from './clusterOptions.ts';
import { printJson, printLine, shortTime } from './print.ts';
import { withOperator } from './withOperator.ts';

/** `job skip-next`. */
export async function skipNextAction(
  name: string,
  options: ClusterOptions & { readonly count: number; readonly json?: boolean },
): Promise<void> {
  const skipped = await withOperator(options, (operator) => operator.skipNext(name, options.count));
  if (options.json) return printJson(skippedView(name, skipped));
  for (const { nodeName, ticks, nextMs } of skipped) {
    const where = nodeName === '' ? '' : ` on ${nodeName}`;
    const which = ticks.map(shortTime).join(' ') || 'nothing';
    printLine(`Skipped ${which} of ${name}${where}; next run ${shortTime(nextMs)}.`);
  }
}
