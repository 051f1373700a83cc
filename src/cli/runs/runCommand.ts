import type { Command } from 'commander';
import { addAction } from '../connect/addAction.ts';
import { addClusterOptions } from '../options/clusterOptions.ts';
import { addExamples, addJsonOption } from '../options/databaseOptions.ts';
import type { SetExitCode } from '../output/setExitCode.ts';

/** `statecron run …`: one launch, by its id. */
export function addRunCommand(program: Command, setExitCode: SetExitCode): void {
  const run = program
    .command('run')
    .description('Show, read, stop or retry one run, by launch id, request id or number.');

  const show = run.command('show <id>').description('Show what became of it.');
  addAction(show, '  $ statecron run show s0f3a…:17', async (launchId, options) =>
    (await import('./runViews.ts')).showRunAction(launchId, options),
  );

  const log = run
    .command('log <id>')
    .description('Print what it wrote, byte for byte; of much output the head and the tail.')
    .option('--raw', 'its escape sequences on a terminal, too; without, only colours pass')
    .option('-f, --follow', 'print what it writes until it has ended, then end as it did');
  addJsonOption(addClusterOptions(log));
  addExamples(
    log,
    `  $ statecron run log s0f3a…:17 | less
  $ statecron run log --follow s0f3a…:18`,
  );
  log.action(async (launchId, options) => {
    if (options.follow) {
      const { followRunAction } = await import('./followRunAction.ts');
      setExitCode(await followRunAction(launchId, options));
      return;
    }
    const { logRunAction } = await import('./runViews.ts');
    await logRunAction(launchId, options);
  });

  const stop = run
    .command('stop <id>')
    .description('Stop it: SIGTERM, its grace, SIGKILL; before its start it is withdrawn.')
    .option('--wait', 'wait until it has ended');
  addAction(
    stop,
    '  $ statecron run stop s0f3a…:17 --wait',
    async (launchId, options) =>
      (await import('./stopRunAction.ts')).stopRunAction(launchId, options),
    setExitCode,
  );

  const retry = run
    .command('retry <id>')
    .description('Run its tick or request once more, as its next attempt.');
  addAction(retry, '  $ statecron run retry s0f3a…:17', async (id, options) =>
    (await import('./retryRunAction.ts')).retryRunAction(id, options),
  );
}
