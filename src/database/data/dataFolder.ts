import { createHash } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { OperatorError } from '../../domain/errors/errors.ts';
import { makeOwnFolder, requireOurs } from '../system/ownFolder.ts';
import type { ServerVersion } from '../system/serverVersion.ts';

/** Where everything of a private database is; all of it below one folder, but maybe the socket. */
export interface DataFolder {
  root: string;
  /** Held by the owner, see lockDataFolder. */
  lock: string;
  /** The server's own data folder. */
  data: string;
  /** Unpacked packages, when the server was downloaded. */
  engine: string;
  /** Which server wrote `data` last. */
  madeBy: string;
  log: string;
  temporary: string;
  /** In a folder that nobody else may enter: the server makes it one that everybody may use. */
  socket: string;
  /** The password of the server's root, for this user alone. */
  password: string;
  pidFile: string;
}

/** sockaddr_un holds 108 bytes with the final zero (unix(7)); the server refuses longer paths. */
const socketPathBytesMax = 107;
const logBytesMax = 1024 * 1024;

/** Where data is kept by default. */
export function defaultDataDir(env: NodeJS.ProcessEnv = process.env): string {
  const { XDG_DATA_HOME: dataHome = '' } = env;
  // A relative path there is to be ignored (XDG Base Directory Specification).
  const home = path.isAbsolute(dataHome) ? dataHome : path.join(os.homedir(), '.local', 'share');
  return path.join(home, 'statecron');
}

/**
 * Makes the data folder, for this user alone, and returns where its parts are.
 * @throws OperatorError `data_folder_unusable`, `data_folder_foreign` (exit 78).
 */
export async function openDataFolder(dataDir: string, engineDir?: string): Promise<DataFolder> {
  const root = path.resolve(dataDir);
  try {
    // The server takes its temporary folder, and the loader its libraries, as a list with colons.
    if (/[:\n]/.test(root)) throw new Error('its path may hold no colon and no new line');
    await makeOwnFolder(root);
    const data = path.join(root, 'data');
    if (await exists(data)) await requireOurs(data);
    return {
      root,
      data,
      lock: path.join(root, 'lock'),
      engine: engineDir ?? path.join(root, 'engine'),
      madeBy: path.join(root, 'server.json'),
      log: path.join(root, 'server.log'),
      temporary: path.join(root, 'tmp'),
      socket: socketPathFor(root),
      password: path.join(root, 'database-password'),
      pidFile: path.join(root, 'server.pid'),
    };
  } catch (cause) {
    if (cause instanceof OperatorError) throw cause;
    throw new OperatorError({
      code: 'data_folder_unusable',
      message: `The data folder ${root} cannot be used: ${(cause as Error).message}`,
      hint: 'Give another folder with STATECRON_DATA, or a database with DATABASE_URL.',
      exitCode: 78,
      cause,
    });
  }
}

/**
 * Clears what earlier starts left half finished; only the holder of the lock may call it. A stale
 * pid file that root wrote makes the server of an ordinary user crash at start.
 */
export async function clearLeftovers(folder: DataFolder): Promise<void> {
  const names = await readdir(folder.root);
  const halves = names.filter((name) => /^data\.part-/.test(name));
  const stale = [...halves.map((name) => path.join(folder.root, name)), folder.temporary];
  for (const name of stale) await rm(name, { recursive: true, force: true });
  await clearSocket(folder);
  // A server that an earlier version left has its socket in the data folder itself, which others
  // may enter; it was given a password when it was adopted.
  const place = path.dirname(folder.socket);
  if (place !== folder.root) await makePrivate(place);
  await mkdir(folder.temporary, { mode: 0o700 });
  const log = await stat(folder.log).catch(() => undefined);
  if (log !== undefined && log.size > logBytesMax) await rename(folder.log, `${folder.log}.1`);
}

/** Leaves nothing behind but the data, the log and the server's programs. */
export async function closeDataFolder(folder: DataFolder): Promise<void> {
  await clearSocket(folder);
  const place = path.dirname(folder.socket);
  if (place !== folder.root) await rm(place, { recursive: true, force: true });
}

/** Removes the names that a server leaves when it is killed. */
async function clearSocket(folder: DataFolder): Promise<void> {
  for (const file of [folder.socket, `${folder.socket}.lock`, folder.pidFile]) {
    await rm(file, { force: true });
  }
}

/** Which server wrote the data last, when that is known. */
export async function readMadeBy(folder: DataFolder): Promise<ServerVersion | undefined> {
  try {
    const { flavour, version } = JSON.parse(await readFile(folder.madeBy, 'utf8')) as ServerVersion;
    return { flavour, version };
  } catch {
    // Not there, or cut short by a power failure: then the server itself has to find out.
    return undefined;
  }
}

/** Records the server that is about to write the data, before it does. */
export async function writeMadeBy(folder: DataFolder, server: ServerVersion): Promise<void> {
  const { flavour, version } = server;
  const half = `${folder.madeBy}.new`;
  await writeFile(half, `${JSON.stringify({ flavour, version })}\n`, { mode: 0o600 });
  await rename(half, folder.madeBy);
}

function socketPathFor(root: string): string {
  const own = path.join(root, 'run', 'server.sock');
  if (fits(own)) return own;
  // The name is a function of the folder, so that every start finds the same one.
  const hash = createHash('sha256').update(root).digest('hex').slice(0, 16);
  const name = path.join(`statecron-${process.getuid?.() ?? 0}-${hash}`, 'server.sock');
  const socket = [os.tmpdir(), '/tmp'].map((place) => path.join(place, name)).find(fits);
  if (socket === undefined) throw new Error('no folder has a path short enough for a socket');
  return socket;
}

/** There is a file or folder of that name, as far as this user may know. */
export async function exists(name: string): Promise<boolean> {
  return (await stat(name).catch(() => undefined)) !== undefined;
}

function fits(socket: string): boolean {
  return Buffer.byteLength(socket) <= socketPathBytesMax;
}

async function makePrivate(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Anybody may make names in /tmp: what is not ours, or open to others, is not to be trusted.
  const found = await lstat(folder);
  const ours =
    found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0;
  if (ours) return;
  throw new OperatorError({
    code: 'data_folder_unusable',
    message: `The folder ${folder}, for the database's socket, is there and is not private.`,
    hint: `Look at what is in it, then: chmod 700 ${folder}; or give another one: STATECRON_DATA`,
    exitCode: 78,
  });
}
