import { exitCodes, OperatorError } from '../domain/errors.ts';
import { compareSchema, migrate } from '../store/migrate.ts';
import type { DatabaseOptions } from './databaseOptions.ts';
import { packageVersion } from './packageFolder.ts';
import { printJson, printLine, printNote } from './print.ts';
import { readDatabase } from './readDatabase.ts';
import { withChannel } from './withChannel.ts';

/** `migrate`: says each step as it is taken. */
export async function migrateAction(
  options: DatabaseOptions & { json?: boolean; check?: boolean },
): Promise<void> {
  const address = await readDatabase(options);
  if (options.check) {
    const { missing } = await withChannel(address, readSchema);
    if (options.json) printJson({ missing });
    else if (missing.length === 0) printLine('The schema is up to date.');
    if (missing.length > 0) throw migrationsMissing(missing);
    return;
  }
  const { applied, present } = await migrate(address, printNote, packageVersion());
  if (options.json) printJson({ applied, present });
  else if (applied.length === 0) printLine('The schema is up to date.');
  else printLine(`The schema is up to date; ${applied.length} migrations were applied.`);
}

/** A database that was never migrated has not even the table that tells. */
async function readSchema(channel: Parameters<typeof compareSchema>[0]) {
  try {
    return await compareSchema(channel);
  } catch (error) {
    if ((error as { errno?: number }).errno !== 1146) throw error;
    return { missing: ['all of them'], unknown: [] };
  }
}

function migrationsMissing(missing: readonly string[]): OperatorError {
  return new OperatorError({
    code: 'schema_older',
    message: `The database lacks migrations: ${missing.join(', ')}.`,
    hint: 'Run: statecron migrate',
    exitCode: exitCodes.failed,
  });
}
