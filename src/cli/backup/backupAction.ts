import { type BackupSink, readBackup } from '../../store/backup/readBackup.ts';
import type { Channel } from '../../store/connection/channel.ts';
import type { DatabaseAddress } from '../../store/connection/databaseAddress.ts';
import { caller } from '../connect/caller.ts';
import { packageVersion } from '../connect/packageFolder.ts';
import { readDatabase } from '../connect/readDatabase.ts';
import { withChannel } from '../connect/withChannel.ts';
import type { DatabaseOptions } from '../options/databaseOptions.ts';
import { printJson, printLine } from '../output/print.ts';
import { RowProgress } from '../output/progressLine.ts';
import { writeBackupFile } from './writeBackupFile.ts';

interface BackupOptions extends DatabaseOptions {
  readonly history?: boolean;
  readonly json?: boolean;
}

/** Pages are read no faster than they are written, and large tables take their time. */
const bounds = { timeoutMs: 300_000, lockWaitSeconds: 10, silenceSeconds: 3_600 } as const;

/** `backup`. */
export async function backupAction(file: string, options: BackupOptions): Promise<void> {
  const hasHistory = options.history === true;
  const progress = new RowProgress('written');
  const counted = (sink: BackupSink): BackupSink => ({
    begin: (head) => sink.begin(head),
    table: (table, columns) => sink.table(table, columns),
    rows: async (table, rows) => {
      await sink.rows(table, rows);
      progress.add(table, rows.length);
    },
  });
  const written = await withBackupChannel(await readDatabase(options), (channel) =>
    writeBackupFile(file, (sink) =>
      readBackup(channel, { hasHistory, version: packageVersion() }, counted(sink)),
    ),
  ).finally(() => progress.end());
  if (options.json) printJson({ file, history: hasHistory, ...written });
  else {
    const rows = Object.values(written.rows).reduce((sum, count) => sum + count, 0);
    const jobs = written.rows.job ?? 0;
    printLine(`Wrote ${file}: ${jobs} jobs, ${rows} rows, ${written.bytes} bytes.`);
  }
}

/** A channel with bounds for what takes long, whose changes are this user's. */
export async function withBackupChannel<T>(
  address: DatabaseAddress,
  use: (channel: Channel) => Promise<T>,
): Promise<T> {
  const useAsCaller = (channel: Channel): Promise<T> => {
    channel.by = caller();
    return use(channel);
  };
  return withChannel(address, useAsCaller, 'backup', bounds);
}
