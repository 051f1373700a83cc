import { type Command, Option } from 'commander';
import { revisionMax } from '../../domain/job/jobDefinition.ts';
import { jobStates } from '../../domain/run/jobState.ts';
import { Actions, type SetExitCode } from '../connect/actions.ts';
import { addExamples, addWideOption } from '../options/clusterOptions.ts';
import { addJobOptions } from '../options/jobOptions.ts';
import { collect, readNumber, shownZoneOption } from '../options/readOptions.ts';
import { readEnd, readPast, readPastEnd } from '../options/readTime.ts';
import { addWaitOptions } from '../options/waitOptions.ts';
import { addBulkOptions, addObserving, pauseNote } from './bulkCommands.ts';

/** `statecron job …`: what an operator does to jobs. */
export function addJobCommand(program: Command, setExitCode: SetExitCode): void {
  const job = program.command('job').description('Add, change, look at and run jobs.');
  addExamples(job, overview);
  addEditing(job);
  addListing(job);
  addShowing(job);
  addSwitching(job, setExitCode);
  addRunningCommands(job, setExitCode);
  addRunsOfJob(job, setExitCode);
  addRevisionCommands(job);
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

function addListing(job: Command): void {
  const list = job
    .command('list [text]')
    .description('List the jobs, or those with TEXT in their name.')
    .option('--group <name>', 'only those of this group of jobs; "default" has those without one')
    .option('--tag <word>', 'only those with this tag; of several all', collect)
    .addOption(new Option('--state <state>', 'only those in this state').choices(jobStates))
    .option('--failed', 'only those whose last run failed, timed out or was lost')
    .option('--node <name>', 'only those that this node may run')
    .option('--stats', 'with the last 20 results of each and how long its runs took')
    .option('--limit <number>', 'at most so many', readNumber(1, 1_000_000), 1_000);
  new Actions(() => import('./listJobsAction.ts')).cluster(
    addWideOption(list),
    listing,
    (module) => module.listJobsAction,
  );
}

function addShowing(job: Command): void {
  const show = job
    .command('show <name>')
    .description('Show one job: definition, next ticks, slots and revisions.')
    .addOption(shownZoneOption());
  const actions = new Actions(() => import('./jobViews.ts'));
  actions.cluster(
    addWideOption(show),
    'job show backup\njob show backup --timezone Asia/Tokyo',
    (module) => module.showJobAction,
  );

  const why = job
    .command('why <name>')
    .description('Say why it has not run and when it will.')
    .option('--all', 'each check and each node, not only what keeps it');
  new Actions(() => import('./whyAction.ts')).cluster(
    addWideOption(why),
    'job why backup\njob why backup --all\njob why backup --json',
    (module) => module.whyJobAction,
  );
}

/** `job diff` and `job rollback`: what a job was before. */
function addRevisionCommands(job: Command): void {
  const actions = new Actions(() => import('./revisionActions.ts'));
  const revision = readNumber(1, revisionMax);
  const diff = job
    .command('diff <name>')
    .description('Show what the last change of a job changed, or what differs between revisions.')
    .argument('[revision]', 'compare this one with the one in force', revision)
    .argument('[other]', 'compare it with this one', revision);
  actions.cluster(
    addWideOption(diff),
    'job diff backup\njob diff backup 3\njob diff backup 3 5',
    (module) => module.diffJobAction,
  );

  const rollback = job
    .command('rollback <name>')
    .description('Give a job the definition of an earlier revision, in a new revision.')
    .argument('[revision]', 'its number, as in: job show; without, one is suggested', revision);
  actions.cluster(rollback, 'job rollback backup 3', (module) => module.rollbackJobAction);
}

/** `job log` and `job stop`: the runs of a job, of which the newest is meant mostly. */
function addRunsOfJob(job: Command, setExitCode: SetExitCode): void {
  const actions = new Actions(() => import('./jobRunsActions.ts'), setExitCode);
  const log = job
    .command('log <name>')
    .description('Print what its run under way has written, else its last run.')
    .option('--raw', 'its escape sequences on a terminal, too; without, only colours pass')
    .option('-f, --follow', 'print what it writes until it has ended, then end as it did');
  actions.cluster(log, 'job log backup\njob log -f backup', (module) => module.logJobAction);

  const stop = job
    .command('stop <name>')
    .description('Stop its runs that execute: SIGTERM, its grace, SIGKILL. Its schedule goes on.')
    .option('--wait', 'wait until they have ended');
  actions.cluster(stop, 'job stop backup --wait', (module) => module.stopJobAction);
}

function addSwitching(job: Command, setExitCode: SetExitCode): void {
  const actions = new Actions(() => import('./jobActions.ts'), setExitCode);
  const pause = job
    .command('pause [name]')
    .description(
      'Stop its schedule. Nothing of it starts after this is done; what executes goes on.',
    )
    .option(
      '--until <when>',
      'resume it then: 2h, 20:00 or a time, without an offset in the zone of the job; of many ' +
        'jobs in that of the terminal',
      readEnd,
    )
    .option(...pauseNote);
  actions.cluster(
    addBulkOptions(pause),
    'job pause backup\njob pause backup --until 2h --note "new disk"\njob pause --group web --yes',
    (module) => module.pauseJobAction,
  );

  const resume = job
    .command('resume [name]')
    .description('Let its schedule count again from now on; nothing is made up for.');
  actions.cluster(
    addBulkOptions(resume),
    'job resume backup\njob resume --tag nightly --yes',
    (module) => module.resumeJobAction,
  );

  addObserving(job);

  const remove = job
    .command('remove [name]')
    .description('Remove it and free its name. Its history stays.');
  actions.cluster(
    addBulkOptions(remove),
    'job remove backup\njob remove --text old- --dry-run',
    (module) => module.removeJobAction,
  );
}

const overview = `
  $ statecron job add backup --cron '30 3 * * *' --timezone Europe/Berlin --command 'backup.sh'
  $ statecron job list
  $ statecron job run backup --wait
  $ statecron job pause backup`;

const listing = `
  $ statecron job list
  $ statecron job list backup --group web --tag nightly --json
  $ statecron job list --state cannot_run
  $ statecron job list --failed --stats
STATE: running; paused (its schedule rests); observed (its ticks are recorded, nothing starts);
cannot run (no live node may run it); waiting (a run of it is due); idle (until its next tick).`;

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

/** `job run` and `job skip-next`: what an operator does beside a job's schedule. */
function addRunningCommands(job: Command, setExitCode: SetExitCode): void {
  const actions = new Actions(() => import('./runningActions.ts'), setExitCode);
  const run = job
    .command('run [name]')
    .description('Run it once now, beside its schedule; a paused job too.')
    .option('--env <K=V>', "a variable for this run, over the job's; may be repeated", collect)
    .option('--node <name>', 'on this node, which must be live and may run it')
    .option(
      '--ignore-overlap',
      'start it beside its other runs, or not at all; without: in its turn',
    );
  addWaitOptions(run).option(
    '--request-id <id>',
    'repeated requests with this id make only one run',
  );
  actions.cluster(addBulkOptions(run), running, (module) => module.runJobAction);

  const skip = job
    .command('skip-next <name>')
    .description('Skip its next tick, one that is prepared too; the history says so.')
    .option('--count <number>', 'so many ticks', readNumber(1, 1_000), 1);
  actions.cluster(
    skip,
    'job skip-next backup\njob skip-next backup --count 3',
    (module) => module.skipNextAction,
  );
}

/** `statecron backfill`: runs for ticks of another time. */
export function addBackfillCommand(program: Command): void {
  const backfill = program
    .command('backfill <job>')
    .description('Run a job for each tick that its schedule names in a range of time, in order.')
    .requiredOption(
      '--from <when>',
      'the first tick is at or after this time, without an offset in the zone of the job',
      readPast,
    )
    .requiredOption('--to <when>', 'the last is at or before this time, at most now', readPastEnd)
    .option('--max <number>', 'refuse more ticks than this', readNumber(1, 10_000), 1_000)
    .option('--request-id <id>', 'another one runs ticks again that were backfilled before')
    .option('--dry-run', 'show the ticks, and request nothing');
  const actions = new Actions(() => import('./runningActions.ts'));
  actions.cluster(backfill, backfilling, (module) => module.backfillAction);
}

const running = `
  $ statecron job run backup
  $ statecron job run backup --env LEVEL=full --node web1
  $ statecron job run backup --wait && echo it worked
With --wait: the exit code of the command, 128 + n when signal n ended it, 1 when it did not
run, 75 when the wait timed out. --ignore-overlap needs a job that may run several launches at
once (--parallel) with one of them to spare: it is refused where it would have to wait.`;

const backfilling = `
  $ statecron backfill report --from 2026-01-01T00:00:00Z --to 2026-01-31T23:59:59Z --dry-run
  $ statecron backfill report --from 2026-01-01T00:00:00Z --to 2026-01-31T23:59:59Z
  $ statecron backfill report --from 06:00 --to 07:30   # the last times that it was that
Ticks are those of the schedule as it is now. Requested again, the same range adds nothing: take
back what still waits with: statecron run stop REQUEST_ID`;
