import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import { counted } from '../../domain/text/counted.ts';
import { migrateHint } from '../../store/connection/grantStatement.ts';
import { migrateDatabase } from '../connect/migrateDatabase.ts';
import { readDatabase } from '../connect/readDatabase.ts';
import { noTablesYet, readSchema, withChannel } from '../connect/withChannel.ts';
import type { DatabaseOptions } from '../options/clusterOptions.ts';
import { printJson, printLine, printNote } from '../output/print.ts';

/** `migrate`: reports each step as it is taken. */
export async function migrateAction(
  options: DatabaseOptions & { json?: boolean; check?: boolean },
): Promise<void> {
  const address = await readDatabase(options);
  if (options.check) {
    const { isEmpty, missing } = await withChannel(address, readSchema);
    if (options.json) printJson({ missing });
    else if (missing.length === 0) printLine('The schema is up to date.');
    if (isEmpty) throw noTablesYet(exitCodes.failed);
    if (missing.length > 0) throw migrationsMissing(missing);
    return;
  }
  const { applied, present } = await migrateDatabase(address, printNote);
  if (options.json) printJson({ applied, present });
  else if (applied.length === 0) printLine('The schema is up to date.');
  else {
    const were = counted(applied.length, 'migration was', 'migrations were');
    printLine(`The schema is up to date; ${were} applied.`);
  }
}

function migrationsMissing(missing: readonly string[]): OperatorError {
  return new OperatorError({
    code: 'schema_older',
    message: `The database lacks migrations: ${missing.join(', ')}.`,
    hint: migrateHint,
    exitCode: exitCodes.failed,
  });
}
