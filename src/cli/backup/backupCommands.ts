import type { Command } from 'commander';
import { refuseUrl } from '../options/clusterOptions.ts';
import { addDatabaseOptions, addExamples, addJsonOption } from '../options/databaseOptions.ts';

/** `statecron backup` and `statecron restore`. */
export function addBackupCommands(program: Command): void {
  addBackup(program);
  addRestore(program);
}

function addBackup(program: Command): void {
  const backup = program
    .command('backup <file>')
    .description(
      'Write jobs, revisions, groups, limits, tokens and notification targets to a file.',
    )
    .option('--history', 'the runs, their outputs and the audit log, too');
  addJsonOption(refuseUrl(addDatabaseOptions(backup), 'it reads the database'));
  addExamples(
    backup,
    `
  $ statecron backup statecron-$(date +%F).gz
  $ statecron backup everything.gz --history
One snapshot, without a lock: nodes go on meanwhile. A name that ends in .gz is compressed. The
file can be read by its owner alone: it has the secrets of jobs. It writes over nothing.`,
  );
  backup.action(async (file, options) => {
    const { backupAction } = await import('./backupAction.ts');
    await backupAction(file, options);
  });
}

function addRestore(program: Command): void {
  const restore = program
    .command('restore [file]')
    .description('Put a backup into an empty database, and say that it is the one to go on with.')
    .option('--force', 'take away what is there; no node may be live on it')
    .option('--confirm', 'let nodes join; what was due since the backup is recorded as missed');
  addJsonOption(refuseUrl(addDatabaseOptions(restore), 'it writes the database'));
  addExamples(
    restore,
    `
  $ statecron migrate && statecron restore statecron-2030-01-31.gz
  $ statecron restore --confirm
The file is read twice: nothing is written before it was found whole, of this or an earlier version.
No node joins a database that is being restored, or that was not confirmed: its cursors are those of
the backup, and what ran since then would run again. With --confirm every tick since the backup is
accounted for as missed, and schedules count from now on. Stop the other cluster before.`,
  );
  restore.action(async (file, options) => {
    const { restoreAction } = await import('./restoreAction.ts');
    await restoreAction(file, options);
  });
}
