import type { Command } from 'commander';
import { addAction } from '../connect/addAction.ts';
import { readSince } from '../options/readSince.ts';
import type { SetExitCode } from '../output/setExitCode.ts';

/** `statecron verify`. */
export function addVerifyCommand(program: Command, setExitCode: SetExitCode): void {
  const verify = program
    .command('verify')
    .description('Prove that every tick is accounted for and that no promise is broken.')
    .option('--job <name>', 'only this job, removed ones of the name included')
    .option('--since <when>', 'only ticks of the last 1h, 2d …, or from an instant on', readSince);
  addAction(
    verify,
    `
  $ statecron verify
  $ statecron verify --since 7d
  $ statecron verify --job backup --since 2030-01-31T00:00:00Z
  $ statecron verify --json | jq -r '.findings[] | [.promise, .job, .message] | @tsv'
It reads one snapshot and locks nothing, so it may run beside live nodes.
Ends with 1 when a promise is broken, 0 when none is; warnings end with 0.`,
    async (options) => (await import('./verifyAction.ts')).verifyAction(options),
    setExitCode,
  );
}
