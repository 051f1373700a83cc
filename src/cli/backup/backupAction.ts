import { counted } from '../../domain/text/counted.ts';
import { readBackup } from '../../store/backup/readBackup.ts';
import type { Channel } from '../../store/connection/channel.ts';
import type { DatabaseAddress } from '../../store/connection/databaseAddress.ts';
import { packageVersion } from '../connect/packageVersion.ts';
import { readDatabase } from '../connect/readDatabase.ts';
import { withUserChannel } from '../connect/withChannel.ts';
import type { DatabaseOptions } from '../options/clusterOptions.ts';
import { printJson, printLine } from '../output/print.ts';
import { withRowProgress } from '../output/progressLine.ts';
import { writeBackupFile } from './writeBackupFile.ts';

interface BackupOptions extends DatabaseOptions {
  readonly history?: boolean;
  readonly json?: boolean;
}

/** Pages are read no faster than they are written, and large tables take their time. */
const bounds = { timeoutMs: 300_000, lockWaitSeconds: 10, silenceSeconds: 3_600 } as const;

/** `backup`. */
export async function backupAction(file: string, options: BackupOptions): Promise<void> {
  const head = { hasHistory: options.history === true, version: packageVersion() };
  const address = await readDatabase(options);
  const written = await withRowProgress('written', (add) =>
    withBackupChannel(address, (channel) =>
      writeBackupFile(file, (sink) => readBackup(channel, head, sink), add),
    ),
  );
  if (options.json) return printJson({ file, history: head.hasHistory, ...written });
  const rows = Object.values(written.rows).reduce((sum, count) => sum + count, 0);
  const { bytes, removed } = written;
  const present = counted((written.rows.job ?? 0) - removed, 'job');
  const jobs = removed === 0 ? present : `${present} and ${removed} removed`;
  printLine(`Wrote ${file}: ${jobs}, ${counted(rows, 'row')}, ${bytes} bytes.`);
}

/** A channel with bounds for what takes long, whose changes are this user's. */
export async function withBackupChannel<T>(
  address: DatabaseAddress,
  use: (channel: Channel) => Promise<T>,
): Promise<T> {
  return withUserChannel(address, use, 'backup', bounds);
}
