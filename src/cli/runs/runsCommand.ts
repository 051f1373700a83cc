import type { Command } from 'commander';
import { addAction } from '../connect/addAction.ts';
import { readDurationMs, readNumber } from '../options/readOptions.ts';

/** `statecron runs`: the history. */
export function addRunsCommand(program: Command): void {
  const runs = program
    .command('runs')
    .description('Show what ran, newest first; what was skipped or missed too.')
    .option('--job <name>', 'only of this job, removed ones of the name included')
    .option('--since <duration>', 'only what ended in the last 1h, 2d …', readDurationMs)
    .option('--limit <number>', 'at most so many (50; with --json 1000)', readNumber(1, 1_000_000))
    .option('--running', 'what executes now instead');
  addAction(
    runs,
    `
  $ statecron runs
  $ statecron runs --job backup --since 1d
  $ statecron runs --running
  $ statecron runs --json --limit 100000 | jq -r '.[] | select(.result != "succeeded") | .job'`,
    async (options) => (await import('./runViews.ts')).listRunsAction(options),
  );
}
