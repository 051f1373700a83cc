import { withOperator } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { printJson, printLine, shortTime } from '../output/print.ts';

/** `job skip-next`. */
export async function skipNextAction(
  name: string,
  options: ClusterOptions & { readonly count: number; readonly json?: boolean },
): Promise<void> {
  const answer = await withOperator(options, (operator) => operator.skipNext(name, options.count));
  if (options.json) return printJson(answer);
  for (const { nodeName, ticks, next } of answer.skipped) {
    const where = nodeName === '' ? '' : ` on ${nodeName}`;
    const which = ticks.map(shortTime).join(' ') || 'nothing';
    printLine(`Skipped ${which} of ${name}${where}; next run ${shortTime(next)}.`);
  }
}
