import type { Command } from 'commander';
import { Actions } from '../connect/actions.ts';
import { addExamples } from '../options/databaseOptions.ts';

/** `statecron limit …`: how many launches a group of jobs may have at once. */
export function addLimitCommand(program: Command): void {
  const actions = new Actions(() => import('./limitActions.ts'));
  const limit = program
    .command('limit')
    .description('How many launches the jobs of a group may have at once, on all nodes together.');
  addExamples(limit, overview);

  const set = limit
    .command('set <group> <number>')
    .description('Set the limit of a group of jobs (job add --group).');
  actions.cluster(set, '  $ statecron limit set reports 4', (module) => module.setLimitAction);

  const remove = limit
    .command('remove <group>')
    .description('Take the limit of a group of jobs away.');
  actions.cluster(
    remove,
    '  $ statecron limit remove reports',
    (module) => module.removeLimitAction,
  );

  const list = limit.command('list').description('List the limits and what is held of each.');
  actions.cluster(list, '  $ statecron limit list', (module) => module.listLimitsAction);
}

const overview = `
  $ statecron limit set reports 4
  $ statecron job add daily --group reports --cron '0 4 * * *' --command ./daily.sh
While a group is full its ticks wait, and are then made up for as the job's misfire policy says.`;
