import type { ApiOperator } from '../../http/views/apiOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { printJson } from '../output/print.ts';
import { readTimezones } from './readTimezones.ts';
import { withOperator } from './withOperator.ts';

/** The same as `printAnswer` for what is about one job, whose times are shown in its zone. */
export async function printJobAnswer<Answer>(
  name: string,
  options: ClusterOptions,
  send: (operator: ApiOperator) => Promise<Answer>,
  printText: (answer: Answer, timezone: string) => void,
): Promise<void> {
  await withOperator(options, async (operator) => {
    if (options.json) return printJson(await send(operator));
    // Before it is sent: a job that is removed has no zone any more.
    const zoneOf = await readTimezones(operator, [name]);
    printText(await send(operator), zoneOf(name));
  });
}
