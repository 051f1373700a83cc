import { type Command, InvalidArgumentError } from 'commander';
import { addAction } from '../connect/addAction.ts';
import { addExamples } from '../options/databaseOptions.ts';
import { readNumber } from '../options/readOptions.ts';

/** `statecron limit …`: how many launches a group of jobs may have at once. */
export function addLimitCommand(program: Command): void {
  const limit = program
    .command('limit')
    .description('How many launches the jobs of a group may have at once, on all nodes together.');
  addExamples(limit, overview);

  const set = limit
    .command('set <group> <number>')
    .description('Set the limit of a group of jobs (job add --group).');
  addAction(set, '  $ statecron limit set reports 4', async (group, text, options) =>
    (await import('./limitActions.ts')).setLimitAction(group, readLimit(text), options),
  );

  const remove = limit
    .command('remove <group>')
    .description('Take the limit of a group of jobs away.');
  addAction(remove, '  $ statecron limit remove reports', async (group, options) =>
    (await import('./limitActions.ts')).setLimitAction(group, null, options),
  );

  const list = limit.command('list').description('List the limits and what is held of each.');
  addAction(list, '  $ statecron limit list', async (options) =>
    (await import('./limitActions.ts')).listLimitsAction(options),
  );
}

function readLimit(text: string): number {
  try {
    return readNumber(1, 1_000_000)(text);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw new InvalidArgumentError(`NUMBER: ${error.message}`);
  }
}

const overview = `
  $ statecron limit set reports 4
  $ statecron job add daily --group reports --cron '0 4 * * *' --command ./daily.sh
While a group is full its ticks wait, and are then made up for as the job's misfire policy says.`;
