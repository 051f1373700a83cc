import type { Command } from 'commander';
import { refuseUrl } from '../options/clusterOptions.ts';
import { addDatabaseOptions, addExamples, addJsonOption } from '../options/databaseOptions.ts';

/** `statecron migrate`. */
export function addMigrateCommand(program: Command): void {
  const migrate = program
    .command('migrate')
    .description('Bring the schema up to this version; safe to run again, and by many at once.')
    .option('--check', 'change nothing; exit 1 when something is to be done');
  addJsonOption(refuseUrl(addDatabaseOptions(migrate), 'nodes have no right to change tables'));
  addExamples(
    migrate,
    `
  $ statecron migrate
  $ statecron migrate --check
This alone needs CREATE, ALTER, INDEX and DROP on the database; all else does with SELECT,
INSERT, UPDATE and DELETE.`,
  );
  migrate.action(async (options) => {
    const { migrateAction } = await import('./migrateAction.ts');
    await migrateAction(options);
  });
}
