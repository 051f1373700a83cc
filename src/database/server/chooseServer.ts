import { readFile } from 'node:fs/promises';
import { OperatorError } from '../../domain/errors/errors.ts';
import type { DataFolder } from '../data/dataFolder.ts';
import { fetchDebianPackages } from '../fetch/fetchDebianPackages.ts';
import { type FoundServers, findServers, type ServerBinary } from '../system/findServers.ts';
import { describeVersion, isOlderSeries, type ServerVersion } from '../system/serverVersion.ts';

/** A server with a clause for people on why it was chosen. */
interface ChosenServer {
  server: ServerBinary;
  why: string;
}

/** In order; Debian and Ubuntu call the same thing by these names in their releases. */
const packages = [
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
  const { madeBy, report, searchPath, signal } = options;
  const reasons: string[] = [];
  const unfit: ServerVersion[] = [];
  const choose = ({ servers, rejected }: FoundServers, why: string): ChosenServer[] => {
    reasons.push(...rejected);
    const fit = servers.filter((server) => mayOpen(server, madeBy));
    unfit.push(...servers.filter((server) => !fit.includes(server)));
    return fit.map((server) => ({ server, why }));
  };
  const own = await findUnpacked(folder);
  yield* choose(own, `downloaded earlier into ${folder.engine}`);
  yield* choose(await findServers(searchPath), 'installed on this machine');
  if (own.servers.length === 0) {
    const request = {
      packages,
      folder: folder.engine,
      installed: 'system',
      report,
      signal,
    } as const;
    const outcome = await fetchDebianPackages(request);
    if (!outcome.fetched) reasons.push(outcome.reason);
    else
      yield* choose(await findUnpacked(folder), 'downloaded now, as none that fits is installed');
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

/** The commands, to copy, that give statecron a database on this machine. */
async function installHint(): Promise<string> {
  const text = await readFile('/etc/os-release', 'utf8').catch(() => '');
  const ids = [...text.matchAll(/^ID(?:_LIKE)?="?([^"\n]*)/gm)].flatMap((m) => m[1]?.split(' '));
  const [install] = ids.flatMap((id) => installers[id ?? ''] ?? []);
  return [
    'Install MariaDB 10.6 or later (or MySQL 8.0.1 or later) and start again:',
    `    ${install ?? 'apt-get install mariadb-server-core   # or your system’s package of it'}`,
    'or give the URL of a database:',
    "    DATABASE_URL='mysql://user:password@host/statecron' npm start",
  ].join('\n');
}

const apt = 'sudo apt-get update && sudo apt-get install mariadb-server-core';
const dnf = 'sudo dnf install mariadb-server';

/** By the ID, or ID_LIKE, of os-release. */
const installers: Readonly<Record<string, string>> = {
  debian: apt,
  ubuntu: apt,
  fedora: dnf,
  rhel: dnf,
  arch: 'sudo pacman -S mariadb',
  alpine: 'sudo apk add mariadb',
  suse: 'sudo zypper install mariadb',
};
