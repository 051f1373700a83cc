import type { Command } from 'commander';
import { addAction } from '../connect/addAction.ts';
import { durationOption } from '../options/readOptions.ts';

/** `statecron cluster`. */
export function addClusterCommand(program: Command): void {
  const cluster = program
    .command('cluster')
    .description('Show the nodes that are live or ended lately, and what each holds.')
    .addOption(
      durationOption('--ended <duration>', 'nodes that ended within this time, too', 3_600_000),
    );
  addAction(
    cluster,
    '  $ statecron cluster\n  $ statecron cluster --ended 1d --json',
    async (options) => (await import('./clusterAction.ts')).clusterAction(options),
  );
  const forget = cluster
    .command('forget <node>')
    .description('Take the slots away that every-node jobs have of a node that is gone for good.');
  addAction(
    forget,
    `
  $ statecron cluster forget web9
The ticks that it still owed stand in the history as missed. If it comes back it begins anew.`,
    async (node, options) => (await import('./clusterAction.ts')).forgetNodeAction(node, options),
  );
}
