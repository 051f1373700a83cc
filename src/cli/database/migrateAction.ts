import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import { migrate } from '../../store/schema/migrate.ts';
import { packageVersion } from '../connect/packageFolder.ts';
import { readDatabase } from '../connect/readDatabase.ts';
import { readSchema, withChannel } from '../connect/withChannel.ts';
import type { DatabaseOptions } from '../options/clusterOptions.ts';
import { printJson, printLine, printNote } from '../output/print.ts';

/** `migrate`: reports each step as it is taken. */
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

function migrationsMissing(missing: readonly string[]): OperatorError {
  return new OperatorError({
    code: 'schema_older',
    message: `The database lacks migrations: ${missing.join(', ')}.`,
    hint: 'Run: statecron migrate',
    exitCode: exitCodes.failed,
  });
}
