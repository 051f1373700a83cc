import type { Command } from 'commander';
import { Actions, type SetExitCode } from '../connect/actions.ts';
import { addExamples } from '../options/databaseOptions.ts';
import { addJobOptions } from '../options/jobOptions.ts';
import { collect, readNumber } from '../options/readOptions.ts';
import { addRunningCommands } from './runningCommands.ts';

/** `statecron job …`: what an operator does to jobs. */
export function addJobCommand(program: Command, setExitCode: SetExitCode): void {
  const job = program.command('job').description('Add, change, look at and run jobs.');
  addExamples(job, overview);
  addEditing(job);
  addLooking(job);
  addSwitching(job);
  addRunningCommands(job, setExitCode);
}

function addEditing(job: Command): void {
  const actions = new Actions(() => import('./jobActions.ts'));
  const add = addJobOptions(job.command('add <name>').description('Add a job.'));
  actions.cluster(add, addingExamples, (module) => module.addJobAction);

  const edit = job
    .command('edit <name>')
    .description('Change what is given and keep the rest. What executes now keeps its revision.');
  addJobOptions(edit, true).option(
    '--unset-env <name>',
    'take a variable away; may be repeated',
    collect,
  );
  actions.cluster(edit, editingExamples, (module) => module.editJobAction);
}

function addLooking(job: Command): void {
  const actions = new Actions(() => import('./jobViews.ts'));
  const list = job
    .command('list [text]')
    .description('List the jobs, or those with TEXT in their name.')
    .option('--group <name>', 'only those of this namespace (default: those without one)')
    .option('--tag <word>', 'only those with this tag; of several all', collect)
    .option('--limit <number>', 'at most so many (1000)', readNumber(1, 1_000_000), 1_000);
  actions.cluster(
    list,
    '  $ statecron job list\n  $ statecron job list backup --group web --tag nightly --json',
    (module) => module.listJobsAction,
  );

  const show = job
    .command('show <name>')
    .description('Show one job: definition, next ticks, slots and revisions.');
  actions.cluster(show, '  $ statecron job show backup', (module) => module.showJobAction);
}

function addSwitching(job: Command): void {
  const actions = new Actions(() => import('./jobActions.ts'));
  const pause = job
    .command('pause <name>')
    .description(
      'Stop its schedule. Nothing of it starts after this is done; what executes goes on.',
    )
    .option('--until <when>', 'resume it then: an instant, or 2h');
  actions.cluster(
    pause,
    '  $ statecron job pause backup\n  $ statecron job pause backup --until 2h',
    (module) => module.pauseJobAction,
  );

  const resume = job
    .command('resume <name>')
    .description('Let its schedule count again from now on; nothing is made up for.');
  actions.cluster(resume, '  $ statecron job resume backup', (module) => module.resumeJobAction);

  const remove = job
    .command('remove <name>')
    .description('Remove it and give its name free. Its history stays.');
  actions.cluster(remove, '  $ statecron job remove backup', (module) => module.removeJobAction);
}

const overview = `
  $ statecron job add backup --cron '30 3 * * *' --timezone Europe/Berlin --command 'backup.sh'
  $ statecron job list
  $ statecron job run backup --wait
  $ statecron job pause backup`;

const addingExamples = `
  $ statecron job add hello --cron '* * * * *' --command 'echo hello'
  $ statecron job add report --cron '0 9 * * MON-FRI' --timezone America/New_York \\
      --timeout 10m --env LEVEL=full --cwd /srv/report --command './report.sh "$LEVEL"'
  $ statecron job add tidy --cron '@every 90s' --command 'find /tmp/x -mmin +5 -delete'
Each run is bash -c COMMAND with a small environment (PATH HOME LOGNAME USER SHELL LANG), the
job's variables, and STATECRON_JOB, _LAUNCH_ID, _SCHEDULED_FOR, _ATTEMPT and _NODE. A command
line can be read by everybody on the machine (ps): give secrets by file.`;

const editingExamples = `
  $ statecron job edit backup --cron '0 4 * * *'
  $ statecron job edit backup --env LEVEL=9 --unset-env DEBUG --no-timeout`;
