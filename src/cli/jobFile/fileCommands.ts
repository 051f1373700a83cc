import { type Command, Option } from 'commander';
import { Actions } from '../connect/actions.ts';
import { addClusterOptions } from '../options/clusterOptions.ts';

/** `statecron apply`, `export` and `import`: jobs as files. */
export function addFileCommands(program: Command): void {
  const apply = program
    .command('apply <file>')
    .description("Make the jobs what a file says, YAML or crontab; '-' reads standard input.")
    .option(
      '--group <name>',
      'the group of jobs that the file is about (what it says, else default)',
    )
    .option('--prune', 'remove every job of its groups that is not in it')
    .option('--dry-run', 'print the plan, and do nothing')
    .option('--yes', 'remove without confirmation')
    .addOption(formatOption())
    .option('--system', 'lines of a crontab have a user field, as in /etc/crontab')
    .option('--timezone <zone>', "zone of crontab lines without CRON_TZ (this machine's)");
  const applies = new Actions(() => import('./applyAction.ts'));
  applies.cluster(apply, applying, (module) => module.applyAction);

  const exported = program
    .command('export')
    .description('Print the jobs as a file that apply takes.')
    .option('--group <name>', 'only those of this group of jobs (all)')
    .addOption(formatOption().default('yaml'))
    .addOption(
      new Option(
        '--user <name>',
        'of a crontab: of this user, with the jobs that run as it',
      ).conflicts('system'),
    )
    .option('--system', 'of a crontab: with a user field, as in /etc/crontab')
    .option('--on-node <name>', 'of a crontab: of this machine, with the jobs of its node alone')
    .option('--timezone <zone>', "of a crontab: zone of lines without CRON_TZ (this machine's)");
  new Actions(() => import('./exportAction.ts')).plain(
    addClusterOptions(exported),
    'export > jobs.yaml\nexport --format crontab --group web1 --user deploy --on-node web1',
    (module) => module.exportAction,
  );

  const imported = program
    .command('import <file>')
    .description("Import a user's crontab or a file of /etc/cron.d; '-' reads standard input.")
    .addOption(new Option('--user-crontab', 'its lines have no user field').conflicts('system'))
    .option('--system', 'its lines have a user field, as in /etc/crontab')
    .addOption(
      new Option('--user <name>', 'whose crontab it is: its jobs run as this user').conflicts(
        'system',
      ),
    )
    .option('--timezone <zone>', "zone of lines without CRON_TZ (this machine's)")
    .option('--prefix <text>', 'put before every name, to keep the crontabs of machines apart')
    .option('--replace', 'change jobs of the same name that were made by hand, too')
    .option('--update', 'change jobs that may be of another crontab to what the lines say')
    .option('--observe', 'record the ticks of new jobs and start nothing, until job go-live')
    .option('--paused', 'new jobs are paused until they are resumed')
    .option('--on-node <name>', 'they run on this node alone; else on any')
    .option('--no-on-node', 'they run on any node, those too that are there already')
    .option('--group <name>', 'the group of jobs that they belong to (default)')
    .option('--skip-faults', 'import the other lines when some cannot be')
    .option('--dry-run', 'show what would be done, and do nothing');
  const imports = new Actions(() => import('./importAction.ts'));
  imports.cluster(imported, importing, (module) => module.importAction);
}

function formatOption(): Option {
  return new Option('--format <format>', 'yaml or crontab').choices(['yaml', 'crontab']);
}

const applying = `
  $ statecron apply jobs.yaml --dry-run
  $ statecron apply jobs.yaml --prune --yes
A file of jobs; the fields are the flags of "job add", lists may be [a, b]:
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

const importing = `
  $ crontab -l | statecron import - --dry-run
  $ statecron import /etc/cron.d/php --system
  $ crontab -l | statecron import - --observe --on-node web1 --group web1
  $ crontab -l -u backup | statecron import - --user backup --dry-run
Each line is shown with what became of it. A job is named by the comment right above its line,
else by the program or script that it starts. Nothing is changed when a line cannot be imported
(--skip-faults: such lines are left out). Importing a file again changes only what is different
in it; jobs that are no longer in it are left alone, and timeouts and other things that a crontab
cannot say are kept. Observed jobs stand beside the old cron: their ticks are recorded, and
nothing starts before job go-live.`;
