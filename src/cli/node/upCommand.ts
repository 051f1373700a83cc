import type { Command } from 'commander';
import { refuseUrl } from '../options/clusterOptions.ts';
import { addDatabaseOptions, addExamples } from '../options/databaseOptions.ts';
import { readHttp } from '../options/httpOptions.ts';
import { addNodeOptions, checkNodeFlags, type NodeFlags } from '../options/nodeOptions.ts';
import { readSending } from '../options/sendingOptions.ts';
import type { SetExitCode } from '../output/setExitCode.ts';

interface UpFlags extends NodeFlags {
  readonly data?: string;
}

/** `statecron up`. */
export function addUpCommand(program: Command, setExitCode: SetExitCode): void {
  const up = program
    .command('up')
    .description('Everything in one: a private database if none is given, its schema, a node.')
    .option(
      '--data <folder>',
      'where the private database is kept (STATECRON_DATA, ~/.local/share)',
    );
  refuseUrl(addDatabaseOptions(addNodeOptions(up)), 'it starts one on this machine');
  addExamples(
    up,
    `
  $ statecron up
  $ statecron up --data ./data --concurrency 8
Then, in another terminal, every other command finds the same database:
  $ statecron runs
Ctrl-C drains the node and stops the private database; the data is found again next time. A new
database gets three sample jobs; remove one with: statecron job remove NAME`,
  );
  up.action(async (flags: UpFlags, command: Command) => {
    checkNodeFlags(flags);
    readSending(flags);
    readHttp(flags);
    const { readDataFolder } = await import('../connect/readDatabase.ts');
    const { readGiven } = await import('../options/givenDatabase.ts');
    const { runUp } = await import('./runUp.ts');
    const database = { given: readGiven(flags), readAgain: async () => readGiven(flags) };
    const dataFolder = flags.data ?? readDataFolder();
    setExitCode(await runUp({ database, dataFolder, nodeArgs: nodeArgsOf(command) }));
  });
}

/** The flags that were given on the command line, as the node is given them. */
function nodeArgsOf(up: Command): string[] {
  const given = up.options.filter((option) => {
    const name = option.attributeName();
    return name !== 'data' && up.getOptionValueSource(name) === 'cli';
  });
  return given.flatMap((option) => {
    const value = up.getOptionValue(option.attributeName()) as unknown;
    if (value === true) return option.long === '--show-runs' ? [] : [`${option.long}`];
    // Durations were read as milliseconds.
    const isDuration = option.flags.includes('<duration>');
    const values = Array.isArray(value) ? value : [value];
    return values.flatMap((each) => [`${option.long}`, `${each}${isDuration ? 'ms' : ''}`]);
  });
}
