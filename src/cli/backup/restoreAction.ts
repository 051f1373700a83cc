import { confirmRestore } from '../../store/backup/confirmRestore.ts';
import type { Channel } from '../../store/connection/channel.ts';
import { readDatabase } from '../connect/readDatabase.ts';
import type { DatabaseOptions } from '../options/databaseOptions.ts';
import { isoOf, printJson, printLine, printNote } from '../output/print.ts';
import { RowProgress } from '../output/progressLine.ts';
import { usageFault } from '../output/reportFault.ts';
import { withBackupChannel } from './backupAction.ts';
import { checkBackup, restoreBackup } from './restoreFile.ts';

interface RestoreOptions extends DatabaseOptions {
  readonly force?: boolean;
  readonly confirm?: boolean;
  readonly json?: boolean;
}

/** `restore`: checks the whole file before anything is written, loads the rows, then confirms. */
export async function restoreAction(
  file: string | undefined,
  options: RestoreOptions,
): Promise<void> {
  const { confirm = false, force = false } = options;
  if (file === undefined && !confirm) {
    throw usageFault('A file is missing, or --confirm.', 'See: statecron restore --help');
  }
  if (file === undefined && force) throw usageFault('--force is about a file to restore.');
  const checked = file === undefined ? null : await checkBackup(file);
  const address = await readDatabase(options);
  await withBackupChannel(address, async (channel) => {
    const loaded = checked === null ? null : await restoreBackup(channel, checked, force);
    if (!confirm) printConfirmHint();
    const confirmed = confirm ? await confirmCopy(channel, options.json === true) : null;
    if (options.json) printJson({ file: file ?? null, rows: loaded, confirmed });
  });
}

function printConfirmHint(): void {
  printNote('No node joins until you confirm that this copy is the one to go on with:');
  printNote('  statecron restore --confirm');
}

async function confirmCopy(channel: Channel, isJson: boolean) {
  const progress = new RowProgress('settled');
  let before = 0;
  const confirmed = await confirmRestore(channel, (jobs) => {
    progress.add('jobs', jobs - before);
    before = jobs;
  }).finally(() => progress.end());
  const { jobs, missed, takenMs, confirmedMs } = confirmed;
  const takenAt = isoOf(takenMs);
  const confirmedAt = isoOf(confirmedMs);
  if (!isJson) {
    printLine(`Confirmed: ${jobs} jobs go on from ${confirmedAt}.`);
    printLine(
      `${missed} ticks and requests since the backup of ${takenAt} are recorded as missed.`,
    );
  }
  return { jobs, missed, takenAt, confirmedAt };
}
