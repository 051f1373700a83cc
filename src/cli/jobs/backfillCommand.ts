import type { Command } from 'commander';
import { addAction } from '../connect/addAction.ts';
import { readInstantMs, readNumber } from '../options/readOptions.ts';

/** `statecron backfill`: runs for ticks of another time. */
export function addBackfillCommand(program: Command): void {
  const backfill = program
    .command('backfill <job>')
    .description('Run a job for each tick that its schedule names in a range of time, in order.')
    .requiredOption('--from <instant>', 'the first tick is at or after this', readInstantMs)
    .requiredOption('--to <instant>', 'the last is at or before this, at most now', readInstantMs)
    .option('--max <number>', 'refuse more ticks than this (1000)', readNumber(1, 10_000), 1_000)
    .option('--request-id <id>', 'another one runs ticks again that were backfilled before')
    .option('--dry-run', 'show the ticks, and ask for nothing');
  addAction(
    backfill,
    `
  $ statecron backfill report --from 2026-01-01T00:00:00Z --to 2026-01-31T23:59:59Z --dry-run
  $ statecron backfill report --from 2026-01-01T00:00:00Z --to 2026-01-31T23:59:59Z
Ticks are those of the schedule as it is now. Asked again, the same range adds nothing: take
back what still waits with: statecron run stop REQUEST_ID`,
    async (job, options) => (await import('./backfillAction.ts')).backfillAction(job, options),
  );
}
