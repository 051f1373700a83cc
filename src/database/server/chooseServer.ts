import { OperatorError } from '../../domain/errors/errors.ts';
import type { DataFolder } from '../data/dataFolder.ts';
import { fetchDebianPackages } from '../fetch/fetchDebianPackages.ts';
import type { ServerBinary } from '../system/findServers.ts';
import { findServers } from '../system/findServers.ts';
import { installHint } from '../system/installHint.ts';
import type { ServerVersion } from '../system/serverVersion.ts';
import { describeVersion, isOlderSeries } from '../system/serverVersion.ts';

/** A server with a clause for people on why it was chosen. */
interface ChosenServer {
  server: ServerBinary;
  why: string;
}

/** In order; Debian and Ubuntu call the same thing by these names in their releases. */
const PACKAGES = [
  'mariadb-server-core',
  'mariadb-server-core-10.6',
  'mysql-server-core-8.4',
  'mysql-server-core-8.0',
  'mysql-server-core',
] as const;

/**
 * The servers that may run the data folder, best first, each looked for only when the one before
 * it was not good enough: downloaded earlier, installed, downloaded now.
 *
 * @throws OperatorError `no_database_server` (exit 69) when none is left, with the commands that
 * help, and `data_folder_newer` (exit 78) when all that there are cannot read the data.
 */
export async function* chooseServer(
  folder: DataFolder,
  options: {
    /** Which server wrote the data last; undefined when there is none yet. */
    madeBy: ServerVersion | undefined;
    searchPath: readonly string[];
    report: (line: string) => void;
    signal?: AbortSignal | undefined;
  },
): AsyncGenerator<ChosenServer, never> {
  const { madeBy } = options;
  const reasons: string[] = [];
  const unfit: ServerVersion[] = [];
  const usable = (servers: readonly ServerBinary[]) =>
    servers.filter((server) => {
      if (mayOpen(server, madeBy)) return true;
      unfit.push(server);
      return false;
    });

  const own = await findUnpacked(folder);
  for (const server of usable(own.servers)) {
    yield { server, why: `downloaded earlier into ${folder.engine}` };
  }

  const installed = await findServers(options.searchPath);
  reasons.push(...own.rejected, ...installed.rejected);
  for (const server of usable(installed.servers)) {
    yield { server, why: 'installed on this machine' };
  }

  if (own.servers.length === 0) {
    const outcome = await fetchDebianPackages({
      packages: PACKAGES,
      folder: folder.engine,
      installed: 'system',
      report: options.report,
      signal: options.signal,
    });
    if (outcome.fetched) {
      const fetched = await findUnpacked(folder);
      reasons.push(...fetched.rejected);
      for (const server of usable(fetched.servers)) {
        yield { server, why: 'downloaded now, as none that fits is installed' };
      }
    } else {
      reasons.push(outcome.reason);
    }
  }
  throw await noServer(folder, madeBy, unfit, reasons);
}

async function findUnpacked(folder: DataFolder) {
  const places = ['usr/sbin', 'usr/libexec', 'usr/bin'].map((name) => `${folder.engine}/${name}`);
  return await findServers(places, folder.engine);
}

function mayOpen(server: ServerVersion, madeBy: ServerVersion | undefined): boolean {
  if (madeBy === undefined) return true;
  return server.flavour === madeBy.flavour && !isOlderSeries(server.version, madeBy.version);
}

async function noServer(
  folder: DataFolder,
  madeBy: ServerVersion | undefined,
  unfit: readonly ServerVersion[],
  reasons: readonly string[],
): Promise<OperatorError> {
  const because = reasons.length === 0 ? '' : `\n  - ${reasons.join('\n  - ')}`;
  if (madeBy !== undefined && unfit.length > 0) {
    return new OperatorError({
      code: 'data_folder_newer',
      message:
        `The data in ${folder.root} was written by ${describeVersion(madeBy)}; ` +
        `${unfit.map(describeVersion).join(' and ')}, found here, cannot read it.${because}`,
      hint: `Install ${describeVersion(madeBy)} or later, or choose another data folder.`,
      exitCode: 78,
    });
  }
  return new OperatorError({
    code: 'no_database_server',
    message: `There is no database server to be had on this machine.${because}`,
    hint: await installHint(),
    exitCode: 69,
  });
}
