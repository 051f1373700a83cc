import { type BackupHead, backupFormat } from '../../domain/backup/backupLines.ts';
import type { Channel, ChannelConnection } from '../connection/channel.ts';
import { compareSchema } from '../schema/migrate.ts';
import { useSnapshot } from '../schema/useSnapshot.ts';
import { readNow } from '../transaction/readNow.ts';
import { type BackedUpTable, backupTables } from './backupTables.ts';
import { readColumns } from './readColumns.ts';
import { type TablePage, tablePages } from './tablePages.ts';

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
export async function readBackup(
  channel: Channel,
  options: BackupOptions,
  sink: BackupSink,
): Promise<void> {
  const { present } = await compareSchema(channel);
  await useSnapshot(channel, async (connection) => {
    const takenMs = await readNow(connection);
    const { hasHistory, version } = options;
    const migrations = present;
    const statecron = 'backup' as const;
    const head = { statecron, format: backupFormat, version, takenMs, hasHistory, migrations };
    await sink.begin(head);
    for (const table of backupTables) {
      if (table.when === 'history' && !hasHistory) continue;
      await readTable(connection, table, head, sink);
    }
  });
}

async function readTable(
  connection: ChannelConnection,
  table: BackedUpTable,
  head: BackupHead,
  sink: BackupSink,
): Promise<void> {
  const columns = await readColumns(connection, table.table);
  await sink.table(table.table, columns);
  const page: TablePage = { table, columns, aheadOf: aheadOf(table, head) };
  for await (const rows of tablePages(connection, page)) {
    await sink.rows(
      table.table,
      rows.map((row) => columns.map((column) => row[column])),
    );
  }
}

/**
 * Without the history only rows that tell of ticks still to come are needed: those that were
 * skipped ahead of their time, of which nothing else tells.
 */
function aheadOf({ when }: BackedUpTable, { hasHistory, takenMs }: BackupHead): Date | null {
  return when === 'ahead' && !hasHistory ? new Date(takenMs) : null;
}
