import { type Command, Option } from 'commander';
import { addAction } from '../connect/addAction.ts';

/** `statecron import`. */
export function addImportCommand(program: Command): void {
  const command = program
    .command('import <file>')
    .description("Import a user's crontab or a file of /etc/cron.d; '-' reads standard input.")
    .addOption(new Option('--user-crontab', 'its lines have no user field').conflicts('system'))
    .option('--system', 'its lines have a user field, as in /etc/crontab')
    .option('--timezone <zone>', "zone of lines without CRON_TZ (this machine's)")
    .option('--prefix <text>', 'put before every name, to keep the crontabs of machines apart')
    .option('--replace', 'change jobs of the same name that were made by hand, too')
    .option('--dry-run', 'show what would be done, and do nothing');
  addAction(
    command,
    `
  $ crontab -l | statecron import - --dry-run
  $ statecron import /etc/cron.d/php --system
  $ statecron import crontab.txt --timezone Europe/Berlin --prefix 'web1: '
Each line is shown with what became of it. Names come from the comment above a job, else from
its command. What cannot be imported is left out and ends the command with 1. Importing a file
again changes only what is different in it; jobs that are no longer in it are left alone, and
timeouts and other things that a crontab cannot say are kept.`,
    async (file, options) => (await import('./importAction.ts')).importAction(file, options),
  );
}
