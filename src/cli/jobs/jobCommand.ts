import type { Command } from 'commander';
import { addAction } from '../connect/addAction.ts';
import { addClusterOptions } from '../options/clusterOptions.ts';
import { addExamples, addJsonOption } from '../options/databaseOptions.ts';
import { addJobOptions } from '../options/jobOptions.ts';
import { collect, readNumber } from '../options/readOptions.ts';
import type { SetExitCode } from '../output/setExitCode.ts';
import { addRunning } from './addRunning.ts';

/** `statecron job …`: what an operator does to jobs. */
export function addJobCommand(program: Command, setExitCode: SetExitCode): void {
  const job = program.command('job').description('Add, change, look at and run jobs.');
  addExamples(job, overview);
  addEditing(job);
  addLooking(job);
  addSwitching(job);
  addRunning(job, setExitCode);
}

function addEditing(job: Command): void {
  const add = job.command('add <name>').description('Add a job.');
  addJsonOption(addClusterOptions(addJobOptions(add)));
  addExamples(add, addingExamples);
  add.action(async (name, options) => {
    const { addJobAction } = await import('./jobActions.ts');
    await addJobAction(name, options);
  });

  const edit = job
    .command('edit <name>')
    .description('Change what is given and keep the rest. What executes now keeps its revision.');
  addJobOptions(edit, true).option(
    '--unset-env <name>',
    'take a variable away; may be repeated',
    collect,
  );
  addAction(
    edit,
    `
  $ statecron job edit backup --cron '0 4 * * *'
  $ statecron job edit backup --env LEVEL=9 --unset-env DEBUG --no-timeout`,
    async (name, options) => (await import('./jobActions.ts')).editJobAction(name, options),
  );
}

function addLooking(job: Command): void {
  const list = job
    .command('list [text]')
    .description('List the jobs, or those with TEXT in their name.')
    .option('--group <name>', 'only those of this namespace (default: those without one)')
    .option('--tag <word>', 'only those with this tag; of several all', collect)
    .option('--limit <number>', 'at most so many (1000)', readNumber(1, 1_000_000), 1_000);
  addAction(
    list,
    '  $ statecron job list\n  $ statecron job list backup --group web --tag nightly --json',
    async (text, options) => (await import('./jobViews.ts')).listJobsAction(text, options),
  );

  const show = job
    .command('show <name>')
    .description('Show one job: definition, next ticks, slots and revisions.');
  addAction(show, '  $ statecron job show backup', async (name, options) =>
    (await import('./jobViews.ts')).showJobAction(name, options),
  );
}

function addSwitching(job: Command): void {
  const texts = {
    pause: 'Stop its schedule. Nothing of it starts after this is done; what executes goes on.',
    resume: 'Let its schedule count again from now on; nothing is made up for.',
    remove: 'Remove it and give its name free. Its history stays.',
  } as const;
  for (const kind of ['pause', 'resume', 'remove'] as const) {
    const command = job.command(`${kind} <name>`).description(texts[kind]);
    if (kind === 'pause') command.option('--until <when>', 'resume it then: an instant, or 2h');
    addJsonOption(addClusterOptions(command));
    const until = kind === 'pause' ? `\n  $ statecron job pause backup --until 2h` : '';
    addExamples(command, `  $ statecron job ${kind} backup${until}`);
    command.action(async (name, options) => {
      const { switchJobAction } = await import('./jobActions.ts');
      await switchJobAction(kind, name, options);
    });
  }
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
