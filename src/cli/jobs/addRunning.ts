import type { Command } from 'commander';
import { addAction } from '../connect/addAction.ts';
import { collect, readDurationMs, readNumber } from '../options/readOptions.ts';
import type { SetExitCode } from '../output/setExitCode.ts';

/** `job run` and `job skip-next`: what an operator does beside a job's schedule. */
export function addRunning(job: Command, setExitCode: SetExitCode): void {
  addRun(job, setExitCode);
  const skip = job
    .command('skip-next <name>')
    .description('Skip its next tick, one that is prepared too; the history says so.')
    .option('--count <number>', 'so many ticks (1)', readNumber(1, 1_000), 1);
  addAction(
    skip,
    '  $ statecron job skip-next backup\n  $ statecron job skip-next backup --count 3',
    async (name, options) => (await import('./skipNextAction.ts')).skipNextAction(name, options),
  );
}

function addRun(job: Command, setExitCode: SetExitCode): void {
  const run = job
    .command('run <name>')
    .description('Run it once now, beside its schedule; a paused job too.')
    .option('--env <K=V>', "a variable for this run, over the job's; may be repeated", collect)
    .option('--node <name>', 'on this node, which must be live and may run it')
    .option('--ignore-overlap', 'now, beside what runs of it, or not at all; without: in its turn')
    .option('--wait', "wait for the end, print its output, and end with the job's exit code")
    .option('--raw', 'with --wait: its escape sequences on a terminal, too, not colours alone')
    .option('--wait-timeout <duration>', 'with --wait: give up after this long', readDurationMs)
    .option('--request-id <id>', 'a run with this id is asked for only once, however often');
  addAction(
    run,
    `
  $ statecron job run backup
  $ statecron job run backup --env LEVEL=full --node web1
  $ statecron job run backup --wait && echo it worked
With --wait: the exit code of the command, 128 + n when signal n ended it, 1 when it did not
run, 75 when the wait timed out. --ignore-overlap needs a job that may run several launches at
once (--parallel) with one of them to spare: it is refused where it would have to wait.`,
    async (name, options) => (await import('./jobRun.ts')).runJobAction(name, options),
    setExitCode,
  );
}
