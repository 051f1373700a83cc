import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import { counted } from '../../domain/text/counted.ts';
import type { Channel } from '../../store/connection/channel.ts';
import { classifyError } from '../../store/connection/classifyError.ts';
import type { DatabaseAddress } from '../../store/connection/databaseAddress.ts';
import {
  grantStatement,
  migrateGrant,
  migrateHint,
} from '../../store/connection/grantStatement.ts';
import { migrate } from '../../store/schema/migrate.ts';
import { packageVersion } from '../connect/packageFolder.ts';
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
  const { applied, present } = await migrate(address, printNote, packageVersion()).catch(
    async (error: unknown) => {
      throw (await whyRefused(address, error)) ?? error;
    },
  );
  if (options.json) printJson({ applied, present });
  else if (applied.length === 0) printLine('The schema is up to date.');
  else {
    const were = counted(applied.length, 'migration was', 'migrations were');
    printLine(`The schema is up to date; ${were} applied.`);
  }
}

/** Of an account that gets in and may not do this, the grant that it lacks; null of all else. */
async function whyRefused(address: DatabaseAddress, error: unknown): Promise<OperatorError | null> {
  if (classifyError(error) !== 'denied') return null;
  const readGrant = (channel: Channel) => grantStatement(channel, migrateGrant);
  const grant = await withChannel(address, readGrant).catch(() => null);
  if (grant === null) return null;
  return new OperatorError({
    code: 'database_denied',
    message: `This account may not migrate the database: ${(error as Error).message}.`,
    hint:
      'Use the account of the migrations: --database-url and --database-password-file; see: ' +
      'statecron docs production. Where there is none, an administrator of the database may ' +
      `run: ${grant}`,
    exitCode: exitCodes.configuration,
    cause: error,
  });
}

function migrationsMissing(missing: readonly string[]): OperatorError {
  return new OperatorError({
    code: 'schema_older',
    message: `The database lacks migrations: ${missing.join(', ')}.`,
    hint: migrateHint,
    exitCode: exitCodes.failed,
  });
}
