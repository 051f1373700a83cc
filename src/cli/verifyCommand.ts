import type { Command } from 'commander';
import { addClusterOptions } from './clusterOptions.ts';
import { addExamples, addJsonOption } from './databaseOptions.ts';
import { readSince } from './readSince.ts';
import type { SetExitCode } from './setExitCode.ts';

/** `statecron verify`. */
export function addVerifyCommand(program: Command, setExitCode: SetExitCode): void {
  const verify = program
    .command('verify')
    .description('Prove that every tick is accounted for and that no promise is broken.')
    .option('--job <name>', 'only this job, removed ones of the name included')
    .option('--since <when>', 'only ticks of the last 1h, 2d …, or from an instant on', readSince);
  addJsonOption(addClusterOptions(verify));
  addExamples(
    verify,
    `
  $ statecron verify
  $ statecron verify --since 7d
  $ statecron verify --job backup --since 2030-01-31T00:00:00Z
  $ statecron verify --json | jq -r '.findings[] | [.promise, .job, .message] | @tsv'
It reads one snapshot and locks nothing, so it may run beside live nodes.
Ends with 1 when a promise is broken, 0 when none is; warnings end with 0.`,
  );
  verify.action(async (options) => {
    const { verifyAction } = await import('./verifyAction.ts');
    setExitCode(await verifyAction(options));
  });
}
