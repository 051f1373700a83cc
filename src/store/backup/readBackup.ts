import { type BackupHead, backupFormat } from '../../domain/backup/backupLines.ts';
import type { Channel } from '../connection/channel.ts';
import { compareSchema } from '../schema/migrate.ts';
import { useSnapshot } from '../schema/useSnapshot.ts';
import { backupTables, readColumns } from './backupTables.ts';
import { tablePages } from './tablePages.ts';

/** Who takes a backup's parts as they are read, no faster than the promises that it gives. */
export interface BackupSink {
  begin(head: BackupHead): Promise<void>;
  table(table: string, columns: readonly string[]): Promise<void>;
  rows(table: string, rows: readonly (readonly unknown[])[]): Promise<void>;
}

interface BackupOptions {
  readonly hasHistory: boolean;
  /** Of this program. */
  readonly version: string;
}

/**
 * Reads all that a backup has, in one consistent snapshot and without a lock, so that nodes go on
 * meanwhile; in memory is a page of rows. The channel is the backup's alone.
 * @throws what the sink throws, and what the driver throws.
 */
export async function readBackup(channel: Channel, options: BackupOptions, sink: BackupSink) {
  const { present: migrations } = await compareSchema(channel);
  await useSnapshot(channel, async (connection) => {
    const takenMs = await connection.readNow();
    const { hasHistory, version } = options;
    const head = { statecron: 'backup', format: backupFormat, version, takenMs } as const;
    await sink.begin({ ...head, hasHistory, migrations });
    for (const table of backupTables) {
      if (table.when === 'history' && !hasHistory) continue;
      const columns = await readColumns(connection, table.table);
      await sink.table(table.table, columns);
      // Without the history only rows about ticks still to come are needed: those that were skipped
      // ahead of their time, which stand nowhere else.
      const aheadOf = table.when === 'ahead' && !hasHistory ? new Date(takenMs) : null;
      for await (const page of tablePages(connection, { table, columns, aheadOf })) {
        const rows = page.map((row) => columns.map((column) => row[column]));
        await sink.rows(table.table, rows);
      }
    }
  });
}
