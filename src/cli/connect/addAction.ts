import type { Command } from 'commander';
import { addClusterOptions } from '../options/clusterOptions.ts';
import { addExamples, addJsonOption } from '../options/databaseOptions.ts';
import type { SetExitCode } from '../output/setExitCode.ts';

type Given = Parameters<Parameters<Command['action']>[0]>;

/**
 * Makes a command one that asks a cluster, with `--json` and examples. What it does is loaded when
 * it is wanted.
 * @param setExitCode given the number that comes of it, where one does
 */
export function addAction(
  command: Command,
  examples: string,
  act: (...given: Given) => Promise<unknown>,
  setExitCode?: SetExitCode,
): void {
  addExamples(addJsonOption(addClusterOptions(command)), examples);
  command.action(async (...given: Given) => {
    const outcome = await act(...given);
    if (typeof outcome === 'number') setExitCode?.(outcome);
  });
}
