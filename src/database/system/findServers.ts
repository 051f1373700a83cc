import { access, constants, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { runCommand } from './runCommand.ts';
import {
  describeVersion,
  isSupported,
  oldestSupported,
  parseServerVersion,
  type ServerVersion,
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
export interface FoundServers {
  servers: ServerBinary[];
  rejected: string[];
}

/**
 * Where servers are usually installed, in order: PATH, the folders for system programs, which an
 * ordinary user's PATH leaves out, then where the vendors' archives go.
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

/** What must stand before a program of an unpacked folder, and in its environment. */
interface Launcher {
  prefix: readonly string[];
  env: NodeJS.ProcessEnv;
}

/**
 * How programs in a folder of unpacked Debian packages find their libraries: by LD_LIBRARY_PATH or,
 * when a libc is among the packages, by the loader that came with it, which also keeps the path out
 * of what the program starts.
 */
export async function launcherOf(folder: string | undefined): Promise<Launcher> {
  if (folder === undefined) {
    const inherited = process.env.LD_LIBRARY_PATH;
    return { prefix: [], env: inherited === undefined ? {} : { LD_LIBRARY_PATH: inherited } };
  }
  const libraries = await libraryFolders(folder);
  const libraryPath = libraries.join(':');
  const loader = await findLoader(folder, libraries);
  if (loader !== undefined) return { prefix: [loader, '--library-path', libraryPath], env: {} };
  return { prefix: [], env: libraryPath === '' ? {} : { LD_LIBRARY_PATH: libraryPath } };
}

async function libraryFolders(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const root of ['usr/lib', 'lib']) {
    const base = path.join(folder, root);
    const names = await list(base);
    // Multi-arch folders are named for the machine: x86_64-linux-gnu, aarch64-linux-gnu.
    for (const name of names.filter((each) => /-linux-gnu/.test(each))) {
      found.push(`${base}/${name}`, ...(await privateFolders(`${base}/${name}`)));
    }
    if (names.includes('mysql')) found.push(`${base}/mysql/private`);
    if (names.some((name) => name.includes('.so'))) found.push(base);
  }
  return found;
}

/**
 * Folders of libraries of one package's own, which its libraries name by a path from the root:
 * libpulse needs x86_64-linux-gnu/pulseaudio/libpulsecommon.
 */
async function privateFolders(libraries: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of await list(libraries)) {
    const files = await list(`${libraries}/${name}`);
    if (files.some((file) => /^lib.*\.so/.test(file))) found.push(`${libraries}/${name}`);
  }
  return found;
}

async function findLoader(
  folder: string,
  libraries: readonly string[],
): Promise<string | undefined> {
  const places = ['usr/lib64', 'lib64', 'usr/lib', 'lib'].map((name) => `${folder}/${name}`);
  for (const place of [...places, ...libraries]) {
    const name = (await list(place)).find((entry) => /^ld-linux.*\.so\.\d+$/.test(entry));
    if (name !== undefined) return path.join(place, name);
  }
  return undefined;
}

async function list(folder: string): Promise<string[]> {
  // A folder that is not there has nothing in it.
  return await readdir(folder).catch(() => []);
}
