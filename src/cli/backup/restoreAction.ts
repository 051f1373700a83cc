import type { BackupHead, BackupTable, BackupValue } from '../../domain/backup/backupLines.ts';
import { counted } from '../../domain/text/counted.ts';
import { beginRestore, clearTables } from '../../store/backup/beginRestore.ts';
import { confirmRestore } from '../../store/backup/confirmRestore.ts';
import { finishLoad, loadRows, requireFits } from '../../store/backup/loadBackup.ts';
import type { Channel } from '../../store/connection/channel.ts';
import { packageVersion } from '../connect/packageVersion.ts';
import { readDatabase } from '../connect/readDatabase.ts';
import type { DatabaseOptions } from '../options/clusterOptions.ts';
import { databaseFlags } from '../options/givenDatabase.ts';
import { formatInstant } from '../output/formatInstant.ts';
import { isoOf, printJson, printLine, printNote } from '../output/print.ts';
import { withRowProgress } from '../output/progressLine.ts';
import { usageFault } from '../output/reportFault.ts';
import { withBackupChannel } from './backupAction.ts';
import { readBackupFile } from './readBackupFile.ts';

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
    if (!confirm) {
      printNote('No node joins until you confirm that this copy is the one to go on with:');
      printNote(`  statecron restore --confirm${databaseFlags(options)}`);
    }
    const confirmed = confirm ? await confirmCopy(channel, options.json === true) : null;
    if (options.json) printJson({ file: file ?? null, rows: loaded, confirmed });
  });
}

async function confirmCopy(channel: Channel, isJson: boolean) {
  let before = 0;
  const confirmed = await withRowProgress('settled', (add) =>
    confirmRestore(channel, (jobs) => {
      add('jobs', jobs - before);
      before = jobs;
    }),
  );
  const { jobs, missed } = confirmed;
  const [takenAt, confirmedAt] = [isoOf(confirmed.takenMs), isoOf(confirmed.confirmedMs)];
  if (!isJson) {
    printLine(
      `Confirmed: ${counted(jobs, 'job goes', 'jobs go')} on from ${formatInstant(confirmedAt)}.`,
    );
    const since = `since the backup of ${formatInstant(takenAt)}`;
    const what = counted(missed, 'tick or request', 'ticks and requests');
    printLine(`Recorded as missed ${since}: ${what}.`);
  }
  return { jobs, missed, takenAt, confirmedAt };
}

/** A file that was found whole. */
interface CheckedBackup {
  readonly file: string;
  readonly head: BackupHead;
  readonly tables: readonly BackupTable[];
}

/** Reads a backup to its end, so that nothing is written of one that is not whole. */
export async function checkBackup(file: string): Promise<CheckedBackup> {
  let head: BackupHead | null = null;
  const tables: BackupTable[] = [];
  await withRowProgress('checked', async (add) => {
    for await (const step of readBackupFile(file)) {
      if (step.kind === 'head') head = step.head;
      else if (step.kind === 'table') tables.push(step.table);
      else add(step.table.table, 1);
    }
  });
  if (head === null) throw new Error('restore: a file that is whole has a head');
  return { file, head, tables };
}

const batchRowsMax = 500;
const batchBytesMax = 1024 * 1024;

/**
 * Writes the rows of a backup, in transactions of a batch, and leaves a copy that waits to be
 * confirmed. Resolves to how many rows were written.
 * @throws OperatorError `schema_older`, `backup_newer`, `nodes_live`, `database_not_empty`, with
 * nothing changed; what the file and the driver throw, with a database that no node joins.
 */
export async function restoreBackup(
  channel: Channel,
  { file, head, tables }: CheckedBackup,
  isForced: boolean,
): Promise<number> {
  await requireFits(channel, head, tables);
  const begun = await beginRestore(channel, head, { isForced, version: packageVersion() });
  if (!begun.isCleared) await clearTables(channel);
  let rows = 0;
  await withRowProgress('restored', async (add) => {
    for await (const { table, batch } of batchesOf(file)) {
      await loadRows(channel, table, batch);
      rows += batch.length;
      add(table.table, batch.length);
    }
  });
  await finishLoad(channel, head);
  printNote(`Restored ${rows} rows of the backup of ${formatInstant(head.takenMs)}.`);
  return rows;
}

/** Each batch is a transaction: rows of one table, as many as fit any server's packet. */
async function* batchesOf(file: string) {
  let table: BackupTable | null = null;
  let batch: BackupValue[][] = [];
  let bytes = 0;
  for await (const step of readBackupFile(file)) {
    if (step.kind === 'row') {
      batch.push(step.values);
      bytes += step.values.reduce<number>((sum, value) => sum + bytesOf(value), 0);
      if (batch.length < batchRowsMax && bytes < batchBytesMax) continue;
    }
    if (table !== null && batch.length > 0) yield { table, batch };
    batch = [];
    bytes = 0;
    if (step.kind === 'table') table = step.table;
  }
  if (table !== null && batch.length > 0) yield { table, batch };
}

function bytesOf(value: BackupValue): number {
  return typeof value === 'string' || value instanceof Uint8Array ? value.length : 8;
}
