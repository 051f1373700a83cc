import type { RunView } from '../../http/contract/runContract.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import { readTimezones } from '../connect/readTimezones.ts';
import { formatInstant } from '../output/formatInstant.ts';
import { printNote } from '../output/print.ts';
import { resultText } from './runColumns.ts';

/** How a person gives the number of a run. */
export const runNumber = /^\d+$/;

/** Says which run a number stands for: the end of a launch id is a number, too, of another one. */
export async function sayWhichRun(operator: ApiOperator, id: string, run: RunView): Promise<void> {
  if (!runNumber.test(id)) return;
  const { job, scheduledFor } = run;
  const zoneOf = await readTimezones(operator, [job]);
  const tick = formatInstant(scheduledFor, zoneOf(job));
  printNote(`Run ${id} of ${job}, scheduled for ${tick}: ${resultText(run)}.`);
}
