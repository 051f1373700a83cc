import { access, constants, realpath } from 'node:fs/promises';
import path from 'node:path';
import { runCommand } from './runCommand.ts';
import { launcherOf } from './serverLauncher.ts';
import type { ServerVersion } from './serverVersion.ts';
import {
  describeVersion,
  isSupported,
  oldestSupported,
  parseServerVersion,
} from './serverVersion.ts';

/** A database server program that can be started. */
export interface ServerBinary extends ServerVersion {
  path: string;
  /** The program with what must stand before it, e.g. the loader of an unpacked folder. */
  command: readonly string[];
  /** What its environment needs in addition: LD_LIBRARY_PATH of an unpacked folder. */
  env: NodeJS.ProcessEnv;
  /** Folder with error messages and, for MariaDB, the SQL files that make the system tables. */
  shareDir?: string;
  /** Arguments that an unpacked server needs because it is not where it was built to be. */
  folderArgs: readonly string[];
}

/** What was found, and what was found but cannot be used, each as a clause for people. */
interface FoundServers {
  servers: ServerBinary[];
  rejected: string[];
}

/**
 * Where servers are usually installed, in order: PATH, then the folders for system programs, which
 * an ordinary user's PATH on Debian leaves out, then where the vendors' archives go.
 */
export function defaultSearchPath(env: NodeJS.ProcessEnv = process.env): string[] {
  const fromPath = (env.PATH ?? '').split(':').filter((folder) => path.isAbsolute(folder));
  const local = ['sbin', 'bin', 'libexec', 'mysql/bin', 'mariadb/bin', 'mariadb/sbin'];
  const system = ['/usr/sbin', '/usr/libexec', '/usr/bin', '/sbin'];
  return [...new Set([...fromPath, ...system, ...local.map((name) => `/usr/local/${name}`)])];
}

/**
 * Looks for `mariadbd` and `mysqld` in the folders of `searchPath`, in order, and reads their
 * versions. `unpackedIn`: the folder that packages were unpacked into, when they run from there.
 */
export async function findServers(
  searchPath: readonly string[],
  unpackedIn?: string,
): Promise<FoundServers> {
  const found: FoundServers = { servers: [], rejected: [] };
  const seen = new Set<string>();
  for (const folder of searchPath) {
    for (const name of ['mariadbd', 'mysqld']) {
      const file = await realpath(path.join(folder, name)).catch(() => undefined);
      if (file === undefined || seen.has(file)) continue;
      seen.add(file);
      const server = await examine(file, unpackedIn);
      if (typeof server === 'string') found.rejected.push(server);
      else found.servers.push(server);
    }
  }
  return found;
}

async function examine(file: string, unpackedIn?: string): Promise<ServerBinary | string> {
  if (!(await exists(file, constants.X_OK))) return `${file} may not be executed`;
  const launcher = await launcherOf(unpackedIn);
  const command = [...launcher.prefix, file];
  const result = await runCommand({
    // Without --no-defaults a broken /etc/my.cnf would hide a good server.
    command: [...command, '--no-defaults', '--version'],
    env: { PATH: process.env.PATH, LC_ALL: 'C', ...launcher.env },
    timeoutMs: 20_000,
  });
  const version = parseServerVersion(result.stdout);
  if (result.exitCode !== 0 || version === undefined) {
    return `${file} does not start (${lastLine(result.tail) || 'it says nothing'})`;
  }
  if (!isSupported(version)) {
    const oldest = { ...version, version: oldestSupported[version.flavour] };
    return `${file} is ${describeVersion(version)}, older than ${describeVersion(oldest)}`;
  }
  const base = path.dirname(path.dirname(file));
  const shareDir = await findShareDir(base, version.flavour === 'mariadb');
  if (version.flavour === 'mariadb' && shareDir === undefined) {
    return `${file} is without the SQL files that make its system tables`;
  }
  const folderArgs = unpackedIn === undefined ? [] : await findFolderArgs(base, shareDir);
  return {
    ...version,
    path: file,
    command,
    env: launcher.env,
    folderArgs,
    ...(shareDir === undefined ? {} : { shareDir }),
  };
}

async function findShareDir(base: string, needsSql: boolean): Promise<string | undefined> {
  for (const name of ['share/mysql', 'share/mariadb', 'share']) {
    const folder = path.join(base, name);
    if (!(await exists(path.join(folder, 'english/errmsg.sys')))) continue;
    if (!needsSql || (await findSqlFile(folder, 'system_tables.sql')) !== undefined) return folder;
  }
  return undefined;
}

/** The full name of `mysql_NAME`, or of `mariadb_NAME` as MariaDB 11 and later call it. */
export async function findSqlFile(shareDir: string, name: string): Promise<string | undefined> {
  for (const family of ['mariadb_', 'mysql_', '']) {
    const file = path.join(shareDir, `${family}${name}`);
    if (await exists(file)) return file;
  }
  return undefined;
}

async function findFolderArgs(base: string, shareDir: string | undefined): Promise<string[]> {
  const args = [`--basedir=${base}`];
  if (shareDir !== undefined) args.push(`--lc-messages-dir=${shareDir}`);
  for (const name of ['lib/mysql/plugin', 'lib/mariadb/plugin']) {
    const folder = path.join(base, name);
    if (await exists(folder)) return [...args, `--plugin-dir=${folder}`];
  }
  return args;
}

async function exists(file: string, mode: number = constants.R_OK): Promise<boolean> {
  return await access(file, mode).then(
    () => true,
    () => false,
  );
}

function lastLine(text: string): string {
  return text.split('\n').at(-1)?.slice(0, 200) ?? '';
}
