import { type Command, Option } from 'commander';
import { addAction } from '../connect/addAction.ts';
import { addClusterOptions } from '../options/clusterOptions.ts';
import { addExamples } from '../options/databaseOptions.ts';

/** `statecron apply` and `statecron export`: jobs as files. */
export function addFileCommands(program: Command): void {
  addApply(program);
  const command = program
    .command('export')
    .description('Print the jobs as a file that apply takes.')
    .option('--group <name>', 'only those of this namespace (all)')
    .addOption(formatOption().default('yaml'));
  addClusterOptions(command);
  addExamples(
    command,
    '  $ statecron export > jobs.yaml\n  $ statecron export --group web --format crontab',
  );
  command.action(async (options) => {
    const { exportAction } = await import('./exportAction.ts');
    await exportAction(options);
  });
}

function addApply(program: Command): void {
  const command = program
    .command('apply <file>')
    .description("Make the jobs what a file says, YAML or crontab; '-' reads standard input.")
    .option('--group <name>', 'the namespace that the file is about (what it says, else default)')
    .option('--prune', 'remove every job of its groups that is not in it')
    .option('--dry-run', 'print the plan, and do nothing')
    .option('--yes', 'remove without asking')
    .addOption(formatOption())
    .option('--system', 'lines of a crontab have a user field, as in /etc/crontab')
    .option('--timezone <zone>', "zone of crontab lines without CRON_TZ (this machine's)");
  addAction(command, applying, async (file, options) =>
    (await import('./applyAction.ts')).applyAction(file, options),
  );
}

function formatOption(): Option {
  return new Option('--format <format>', 'yaml or crontab').choices(['yaml', 'crontab']);
}

const applying = `
  $ statecron apply jobs.yaml --dry-run
  $ statecron apply jobs.yaml --prune --yes
A file of jobs; the words are the flags of "job add", lists may be [a, b]:
  group: web
  jobs:
    fetch:
      cron: '*/10 * * * *'
      command: fetch.sh
      timeout: 5m
    report:
      cron: ['0 8 * * MON-FRI', '0 10 * * SAT']
      timezone: Europe/Berlin
      command: report.sh
      env: { LEVEL: full }
      after: [fetch:failure]
A job of a YAML file gets what the file says, and defaults for all else; of a crontab's job,
what a crontab cannot say is kept. Nothing is changed when anything in the file is wrong. A group
belongs to its file: --prune removes all its other jobs, whoever made them. A pause stays as it is
unless the file says: paused: true, paused: false, or paused-until with an instant.`;
