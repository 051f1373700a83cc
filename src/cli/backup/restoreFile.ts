import type { BackupHead, BackupTable, BackupValue } from '../../domain/backup/backupLines.ts';
import { beginRestore, clearTables } from '../../store/backup/beginRestore.ts';
import { finishLoad, loadRows, requireFits } from '../../store/backup/loadBackup.ts';
import type { Channel } from '../../store/connection/channel.ts';
import { packageVersion } from '../connect/packageFolder.ts';
import { isoOf, printNote } from '../output/print.ts';
import { RowProgress } from '../output/progressLine.ts';
import { readBackupFile } from './readBackupFile.ts';

/** A file that was found whole. */
interface CheckedBackup {
  readonly file: string;
  readonly head: BackupHead;
  readonly tables: readonly BackupTable[];
}

/** Reads a backup to its end, so that nothing is written of one that is not whole. */
export async function checkBackup(file: string): Promise<CheckedBackup> {
  const progress = new RowProgress('checked');
  let head: BackupHead | null = null;
  const tables: BackupTable[] = [];
  try {
    for await (const step of readBackupFile(file)) {
      if (step.kind === 'head') head = step.head;
      else if (step.kind === 'table') tables.push(step.table);
      else if (step.kind === 'row') progress.add(step.table.table, 1);
    }
  } finally {
    progress.end();
  }
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
  const progress = new RowProgress('restored');
  let rows = 0;
  try {
    for await (const { table, batch } of batchesOf(file)) {
      await loadRows(channel, table, batch);
      rows += batch.length;
      progress.add(table.table, batch.length);
    }
  } finally {
    progress.end();
  }
  await finishLoad(channel, head);
  printNote(`Restored ${rows} rows of the backup of ${isoOf(head.takenMs)}.`);
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
}

function bytesOf(value: BackupValue): number {
  return typeof value === 'string' || value instanceof Uint8Array ? value.length : 8;
}
