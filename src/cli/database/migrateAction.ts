import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import { compareSchema, migrate } from '../../store/schema/migrate.ts';
import { packageVersion } from '../connect/packageFolder.ts';
import { readDatabase } from '../connect/readDatabase.ts';
import { withChannel } from '../connect/withChannel.ts';
import type { DatabaseOptions } from '../options/databaseOptions.ts';
import { printJson, printLine, printNote } from '../output/print.ts';

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
