import type { Command } from 'commander';
import { Actions } from '../connect/actions.ts';

/** `statecron backup` and `statecron restore`. */
export function addBackupCommands(program: Command): void {
  const backup = program
    .command('backup <file>')
    .description(
      'Write jobs, revisions, groups, limits, tokens and notification targets to a file.',
    )
    .option('--history', 'the runs, their outputs and the audit log, too');
  const saving = new Actions(() => import('./backupAction.ts'));
  saving.database(backup, 'it reads the database', backingUp, (module) => module.backupAction);

  const restore = program
    .command('restore [file]')
    .description('Put a backup into an empty database, and say that it is the one to go on with.')
    .option('--force', 'take away what is there; no node may be live on it')
    .option('--confirm', 'let nodes join; what was due since the backup is recorded as missed');
  const loading = new Actions(() => import('./restoreAction.ts'));
  loading.database(restore, 'it writes the database', restoring, (module) => module.restoreAction);
}

const backingUp = `
  $ statecron backup statecron-$(date +%F).gz
  $ statecron backup everything-$(date +%F).gz --history
One snapshot, without a lock: nodes go on meanwhile. A name that ends in .gz is compressed. The
file can be read by its owner alone: it has the secrets of jobs. It overwrites nothing.`;

const restoring = `
  $ statecron restore statecron-2030-01-31.gz
  $ statecron restore --confirm
The tables are made before, by statecron migrate with an account that may: statecron docs backup.
The file is read twice: nothing is written before it was found whole, of this or an earlier version.
No node joins a database that is being restored, or that was not confirmed: its cursors are those of
the backup, and what ran since then would run again. With --confirm every tick since the backup is
accounted for as missed, and schedules count from now on. Stop the other cluster first.`;
