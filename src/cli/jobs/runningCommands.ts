import type { Command } from 'commander';
import { Actions, type SetExitCode } from '../connect/actions.ts';
import { collect, readDurationMs, readInstantMs, readNumber } from '../options/readOptions.ts';

/** `job run` and `job skip-next`: what an operator does beside a job's schedule. */
export function addRunningCommands(job: Command, setExitCode: SetExitCode): void {
  const actions = new Actions(() => import('./runningActions.ts'), setExitCode);
  const run = job
    .command('run <name>')
    .description('Run it once now, beside its schedule; a paused job too.')
    .option('--env <K=V>', "a variable for this run, over the job's; may be repeated", collect)
    .option('--node <name>', 'on this node, which must be live and may run it')
    .option('--ignore-overlap', 'now, beside what runs of it, or not at all; without: in its turn')
    .option('--wait', "wait for the end, print its output, and end with the job's exit code")
    .option('--raw', 'with --wait: its escape sequences on a terminal, too, not colours alone')
    .option('--wait-timeout <duration>', 'with --wait: give up after this long', readDurationMs)
    .option('--request-id <id>', 'repeated requests with this id make only one run');
  actions.cluster(run, running, (module) => module.runJobAction);

  const skip = job
    .command('skip-next <name>')
    .description('Skip its next tick, one that is prepared too; the history says so.')
    .option('--count <number>', 'so many ticks (1)', readNumber(1, 1_000), 1);
  actions.cluster(
    skip,
    '  $ statecron job skip-next backup\n  $ statecron job skip-next backup --count 3',
    (module) => module.skipNextAction,
  );
}

/** `statecron backfill`: runs for ticks of another time. */
export function addBackfillCommand(program: Command): void {
  const backfill = program
    .command('backfill <job>')
    .description('Run a job for each tick that its schedule names in a range of time, in order.')
    .requiredOption('--from <instant>', 'the first tick is at or after this', readInstantMs)
    .requiredOption('--to <instant>', 'the last is at or before this, at most now', readInstantMs)
    .option('--max <number>', 'refuse more ticks than this (1000)', readNumber(1, 10_000), 1_000)
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
Ticks are those of the schedule as it is now. Requested again, the same range adds nothing: take
back what still waits with: statecron run stop REQUEST_ID`;
