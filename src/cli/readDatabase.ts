import { stat } from 'node:fs/promises';
import { exitCodes, OperatorError } from '../domain/errors.ts';
import { type DatabaseAddress, readDatabaseUrl } from '../store/databaseAddress.ts';
import type { DatabaseOptions } from './databaseOptions.ts';
import { isSet, pickSecret, readSecret } from './readSecret.ts';

/**
 * The database that flags, environment or a running private server name, in that order.
 * @throws OperatorError 78 when there is none, or what there is cannot be read.
 */
export async function readDatabase(options: DatabaseOptions): Promise<DatabaseAddress> {
  const address = await findDatabase(options);
  if (address !== null) return address;
  throw new OperatorError({
    code: 'database_unset',
    message: 'No database is given, and no private one is running here.',
    hint: 'Run "statecron up" in another terminal, or set STATECRON_DATABASE_URL (see --help).',
    exitCode: exitCodes.configuration,
  });
}

/** The same, or null when none is given and none runs. */
export async function findDatabase(options: DatabaseOptions): Promise<DatabaseAddress | null> {
  const given = readGivenDatabase(options);
  if (given !== null) return given;
  const url = await findPrivateUrl(readDataFolder());
  return url === null ? null : readDatabaseUrl(url);
}

/** What flags and environment name, without looking for a private server. */
export function readGivenDatabase(options: DatabaseOptions): DatabaseAddress | null {
  const { env } = process;
  const url =
    pick('--database-url', options.databaseUrl, options.databaseUrlFile) ??
    pick('STATECRON_DATABASE_URL', env.STATECRON_DATABASE_URL, env.STATECRON_DATABASE_URL_FILE) ??
    pick('DATABASE_URL', env.DATABASE_URL, env.DATABASE_URL_FILE);
  if (url === null) return null;
  const passwordFile = options.databasePasswordFile ?? env.STATECRON_DATABASE_PASSWORD_FILE;
  const password = isSet(passwordFile) ? readSecret(passwordFile, 'the password') : undefined;
  return readDatabaseUrl(url, password);
}

/** The folder of the private database: STATECRON_DATA, else the user's own. Undefined: that one. */
export function readDataFolder(): string | undefined {
  const folder = process.env.STATECRON_DATA;
  return isSet(folder) ? folder : undefined;
}

/** The URL of the private server that runs on the folder, or null; nothing is made or started. */
export async function findPrivateUrl(dataFolder: string | undefined): Promise<string | null> {
  const { defaultDataDir, openDataFolder } = await import('../database/dataFolder.ts');
  const root = dataFolder ?? defaultDataDir();
  if (!(await exists(root))) return null;
  const [{ findRunningServer }, { privateUrl }] = await Promise.all([
    import('../database/serverProcess.ts'),
    import('../database/connectPrivate.ts'),
  ]);
  const server = await findRunningServer(await openDataFolder(root));
  return server === undefined ? null : privateUrl(server.socket);
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

function pick(name: string, value: string | undefined, file: string | undefined): string | null {
  return pickSecret({ name, what: 'the database URL', value, file });
}
