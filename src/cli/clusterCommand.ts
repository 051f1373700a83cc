import type { Command } from 'commander';
import { addDatabaseOptions, addExamples, addJsonOption } from './databaseOptions.ts';
import { readDurationMs } from './readOptions.ts';

/** `statecron cluster`. */
export function addClusterCommand(program: Command): void {
  const cluster = program
    .command('cluster')
    .description('Show the nodes that are live or ended lately, and what each holds.')
    .option(
      '--ended <duration>',
      'nodes that ended within this time, too',
      readDurationMs,
      3_600_000,
    );
  addJsonOption(addDatabaseOptions(cluster));
  addExamples(cluster, '  $ statecron cluster\n  $ statecron cluster --ended 1d --json');
  cluster.action(async (options) => {
    const { clusterAction } = await import('./clusterAction.ts');
    await clusterAction(options);
  });
}
