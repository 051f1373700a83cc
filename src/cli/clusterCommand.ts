import type { Command } from 'commander';
import { addClusterOptions } from './clusterOptions.ts';
import { addExamples, addJsonOption } from './databaseOptions.ts';
import { durationOption } from './readOptions.ts';

/** `statecron cluster`. */
export function addClusterCommand(program: Command): void {
  const cluster = program
    .command('cluster')
    .description('Show the nodes that are live or ended lately, and what each holds.')
    .addOption(
      durationOption('--ended <duration>', 'nodes that ended within this time, too', 3_600_000),
    );
  addJsonOption(addClusterOptions(cluster));
  addExamples(cluster, '  $ statecron cluster\n  $ statecron cluster --ended 1d --json');
  cluster.action(async (options) => {
    const { clusterAction } = await import('./clusterAction.ts');
    await clusterAction(options);
  });
  const forget = cluster
    .command('forget <node>')
    .description('Take the slots away that every-node jobs have of a node that is gone for good.');
  addJsonOption(addClusterOptions(forget));
  addExamples(
    forget,
    `
  $ statecron cluster forget web9
The ticks that it still owed stand in the history as missed. If it comes back it begins anew.`,
  );
  forget.action(async (node, options) => {
    const { forgetNodeAction } = await import('./clusterAction.ts');
    await forgetNodeAction(node, options);
  });
}
