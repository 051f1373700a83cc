import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import type { DatabaseAddress } from '../../store/connection/databaseAddress.ts';
import type { DatabaseOptions } from '../options/clusterOptions.ts';
import { addressOf, type GivenDatabase, readGiven } from '../options/givenDatabase.ts';
import { isSet } from '../options/readSecret.ts';
import { printRemark } from '../output/lines/printWarning.ts';
import { printNote } from '../output/print.ts';

/**
 * The database that flags, environment or a running private server name, in that order.
 * @throws OperatorError 78 when there is none, or what there is cannot be read.
 */
export async function readDatabase(
  options: DatabaseOptions & { readonly json?: boolean },
): Promise<DatabaseAddress> {
  const given = readGiven(options);
  const address = addressOf(requireFound(given ?? (await findOwn())));
  if (given !== null) return address;
  if (isSet(process.env.STATECRON_URL)) {
    printRemark(
      'no database is given: this is about that of "statecron up"; STATECRON_URL is not used ' +
        "here, as it names a node's API",
    );
    // What reads standard error beside JSON looks for a fault there, in JSON.
  } else if (!options.json || process.stderr.isTTY) {
    printNote('(the database of statecron up; none is given)');
  }
  return address;
}

/** The same, as it was given: for whoever hands it on. */
export async function requireDatabase(options: DatabaseOptions): Promise<GivenDatabase> {
  return requireFound(await findDatabase(options));
}

function requireFound(database: GivenDatabase | null): GivenDatabase {
  if (database !== null) return database;
  throw new OperatorError({
    code: 'database_unset',
    message: 'No database is given, and no private one is running here.',
    hint: isSet(process.env.STATECRON_URL)
      ? "STATECRON_URL names a node's API, and this command needs the database itself: set " +
        'STATECRON_DATABASE_URL (see --help).'
      : 'Run "statecron up" in another terminal, or set STATECRON_DATABASE_URL (see --help).',
    exitCode: exitCodes.configuration,
  });
}

/** The same, or null when none is given and none runs. */
export async function findDatabase(options: DatabaseOptions): Promise<GivenDatabase | null> {
  return readGiven(options) ?? (await findOwn());
}

/** That of "statecron up", while it runs. */
async function findOwn(): Promise<GivenDatabase | null> {
  const url = await findPrivateUrl(readDataFolder());
  return url === null ? null : { url, password: null };
}

/** The folder of the private database: STATECRON_DATA, else the user's own. Undefined: that one. */
export function readDataFolder(): string | undefined {
  const folder = process.env.STATECRON_DATA;
  return isSet(folder) ? folder : undefined;
}

/** The URL of the private server that runs on the folder, or null; nothing is made or started. */
export async function findPrivateUrl(dataFolder: string | undefined): Promise<string | null> {
  const { defaultDataDir, exists, openDataFolder } = await import(
    '../../database/data/dataFolder.ts'
  );
  const root = dataFolder ?? defaultDataDir();
  if (!(await exists(root))) return null;
  const [{ findRunningServer }, { privateUrl }, { readOwnSecret }] = await Promise.all([
    import('../../database/server/serverProcess.ts'),
    import('../../database/server/connectPrivate.ts'),
    import('../../database/system/ownFolder.ts'),
  ]);
  const folder = await openDataFolder(root);
  const server = await findRunningServer(folder);
  if (server === undefined) return null;
  // A server that an earlier version started has none.
  return privateUrl(server.socket, await readOwnSecret(folder.password));
}
