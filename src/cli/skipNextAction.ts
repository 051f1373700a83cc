import { skipNext } from '../store/jobs/skipNext.ts';
import type { DatabaseOptions } from './databaseOptions.ts';
import { isoOf, printJson, printLine, shortTime } from './print.ts';
import { withChannel } from './withChannel.ts';

/** `job skip-next`. */
export async function skipNextAction(
  name: string,
  options: DatabaseOptions & { readonly count: number; readonly json?: boolean },
): Promise<void> {
  const skipped = await withChannel(options, (channel) => skipNext(channel, name, options.count));
  if (options.json) {
    const slots = skipped.map(({ nodeName, ticks, nextMs }) => ({
      nodeName,
      ticks: ticks.map(isoOf),
      next: isoOf(nextMs),
    }));
    printJson({ job: name, skipped: slots });
    return;
  }
  for (const { nodeName, ticks, nextMs } of skipped) {
    const where = nodeName === '' ? '' : ` on ${nodeName}`;
    const which = ticks.map(shortTime).join(' ') || 'nothing';
    printLine(`Skipped ${which} of ${name}${where}; next run ${shortTime(nextMs)}.`);
  }
}
