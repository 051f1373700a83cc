import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import type { Channel } from '../../store/connection/channel.ts';
import { classifyError } from '../../store/connection/classifyError.ts';
import type { DatabaseAddress } from '../../store/connection/databaseAddress.ts';
import { grantStatement, migrateGrant } from '../../store/connection/grantStatement.ts';
import { migrate } from '../../store/schema/migrate.ts';
import { packageVersion } from './packageVersion.ts';
import { withChannel } from './withChannel.ts';

/**
 * Brings the schema up to this version's, for an operator.
 * @throws OperatorError `database_denied` (78) that names the grant which the account lacks.
 */
export async function migrateDatabase(
  address: DatabaseAddress,
  report?: (line: string) => void,
): ReturnType<typeof migrate> {
  try {
    return await migrate(address, report, packageVersion());
  } catch (error) {
    throw (await whyRefused(address, error)) ?? error;
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
