import { retryRun } from '../store/runs/retryRun.ts';
import type { DatabaseOptions } from './databaseOptions.ts';
import { printJson, printLine } from './print.ts';
import { withChannel } from './withChannel.ts';

/** `run retry`. */
export async function retryRunAction(
  id: string,
  options: DatabaseOptions & { readonly json?: boolean },
): Promise<void> {
  const retried = await withChannel(options, (channel) => retryRun(channel, id));
  if (options.json) return printJson(retried);
  const { job, launchId, attempt, isNew } = retried;
  printLine(
    isNew
      ? `Asked for attempt ${attempt} of ${job} after ${launchId}.`
      : `Attempt ${attempt} of ${job} is waiting or going on already.`,
  );
}
