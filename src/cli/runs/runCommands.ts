import { Argument, type Command, Option } from 'commander';
import { runResults } from '../../domain/run/run.ts';
import { Actions, type SetExitCode } from '../connect/actions.ts';
import { addWideOption } from '../options/clusterOptions.ts';
import {
  choicesOption,
  collect,
  durationOption,
  readNumber,
  shownZoneOption,
} from '../options/readOptions.ts';
import { readSince } from '../options/readTime.ts';
import { addWaitOptions } from '../options/waitOptions.ts';

/** `statecron runs`: the history. */
export function addRunsCommand(program: Command): void {
  const runs = program
    .command('runs')
    .description('Show what ran, newest first; what was skipped or missed too.')
    .option('--job <name>', 'only of this job, removed ones of the name included')
    .option('--group <name>', 'only of jobs of this group; "default" has those without one')
    .option('--node <name>', 'only what this node ran')
    .option(
      '--failed',
      'only what failed, timed out or was lost; what was stopped, too: --failed --result stopped',
    )
    .addOption(choicesOption('--result <result>', 'only these results; of several any', runResults))
    .option(
      '--since <when>',
      'only what ended in the last 1h, 2d …, or since 06:00 or a time, without an offset in the ' +
        'zone of the job that is named, else of the terminal',
      readSince,
    )
    .option('--limit <number>', 'at most so many (50; with --json 1000)', readNumber(1, 1_000_000))
    .addOption(
      new Option('--running', 'what executes now instead').conflicts([
        ...['failed', 'result', 'since'],
      ]),
    );
  new Actions(() => import('./runActions.ts')).cluster(
    addWideOption(runs),
    `
  $ statecron runs
  $ statecron runs --job backup --since 1d
  $ statecron runs --failed --since 12h
  $ statecron runs --group web --result missed --result skipped
  $ statecron runs --running --node web1
  $ statecron runs --json --limit 100000 | jq -r '.[] | select(.result != "succeeded") | .job'`,
    (module) => module.listRunsAction,
  );
}

/** `statecron upcoming`: what runs next. */
export function addUpcomingCommand(program: Command): void {
  const upcoming = program
    .command('upcoming')
    .description('Show what runs next over all jobs: of each job the next, and how many follow.')
    .addOption(durationOption('--within <duration>', 'how far ahead', 3_600_000))
    .option('--group <name>', 'only jobs of this group; "default" has those without one')
    .option('--limit <number>', 'at most so many', readNumber(1, 500), 50)
    .option('--all-ticks', 'each tick by itself')
    .addOption(shownZoneOption());
  new Actions(() => import('./upcomingAction.ts')).cluster(
    addWideOption(upcoming),
    `
  $ statecron upcoming
  $ statecron upcoming --within 1d --group web
  $ statecron upcoming --timezone Asia/Tokyo
  $ statecron upcoming --within 10m --all-ticks --json`,
    (module) => module.upcomingAction,
  );
}

/** `statecron run …`: one launch, by its id. */
export function addRunCommand(program: Command, setExitCode: SetExitCode): void {
  const actions = new Actions(() => import('./runActions.ts'), setExitCode);
  const run = program
    .command('run')
    .description(
      'Show, read, stop or retry one run, by its number, launch id or request id. A launch id ' +
        'may be shortened as the page does it: s0f3a2c…:18.',
    );

  const show = run.command('show').addArgument(idOfRun()).description('Show what became of it.');
  actions.cluster(show, 'run show 306', (module) => module.showRunAction);

  const log = run
    .command('log')
    .addArgument(idOfRun())
    .description('Print what it wrote, byte for byte; of much output the head and the tail.')
    .option('--raw', 'its escape sequences on a terminal, too; without, only colours pass')
    .option('-f, --follow', 'print what it writes until it has ended, then end as it did');
  actions.cluster(
    log,
    'run log 306 | less\nrun log --follow s0f3a2c…:18',
    (module) => module.logRunAction,
  );

  const stop = run
    .command('stop')
    .addArgument(idOfRun())
    .description('Stop it: SIGTERM, its grace, SIGKILL; before its start it is withdrawn.')
    .option('--wait', 'wait until it has ended');
  const stopping = new Actions(() => import('./stopRunAction.ts'));
  stopping.cluster(stop, 'run stop s0f3a2c…:17 --wait', (module) => module.stopRunAction);

  const retry = run
    .command('retry')
    .addArgument(idOfRun())
    .description('Run its tick or request once more, as its next attempt.')
    .option(
      '--env <K=V>',
      'a variable for it; then a request of its own; may be repeated',
      collect,
    );
  const retrying = new Actions(() => import('./retryRunAction.ts'), setExitCode);
  retrying.cluster(
    addWaitOptions(retry),
    'run retry 306\nrun retry 306 --wait && echo it worked\nrun retry 306 --env LEVEL=full',
    (module) => module.retryRunAction,
  );
}

/** No id has an ellipsis: it stands for what was left out. */
function idOfRun(): Argument {
  return new Argument('<id>').argParser((id: string) => id.replace('…', ''));
}
