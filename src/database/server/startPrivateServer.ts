import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { OperatorError } from '../../domain/errors/errors.ts';
import {
  clearLeftovers,
  closeDataFolder,
  type DataFolder,
  openDataFolder,
  readMadeBy,
  writeMadeBy,
} from '../data/dataFolder.ts';
import { initialiseData } from '../data/initialiseData.ts';
import { lockDataFolder } from '../data/lockDataFolder.ts';
import { defaultSearchPath } from '../system/findServers.ts';
import { readOwnSecret, writeOwnSecret } from '../system/ownFolder.ts';
import { describeVersion, type ServerVersion } from '../system/serverVersion.ts';
import { chooseServer } from './chooseServer.ts';
import { connectPrivate, privateUrl } from './connectPrivate.ts';
import { keepRunning } from './keepRunning.ts';
import {
  endServer,
  findRunningServer,
  type ServerProcess,
  spawnServer,
  wakeServer,
} from './serverProcess.ts';

/** What the private server is started with. */
export interface PrivateServerOptions {
  /** Everything is kept below it; see defaultDataDir. */
  dataDir: string;
  /** Called with whole lines for people about what takes time. */
  report: (line: string) => void;
  /** Folders to look for an installed server in; see defaultSearchPath. */
  searchPath?: readonly string[];
  /** Folder of a downloaded server, when several data folders are to share one. */
  engineDir?: string;
  /** Gives up: what was begun is ended and cleared. */
  signal?: AbortSignal;
}

/** A database server of our own, reachable by its socket only. */
export interface PrivateServer extends ServerVersion {
  /** `mysql://root:PASSWORD@localhost/statecron?socketPath=…` */
  url: string;
  /** The same without the password, which stands in the file. */
  shownUrl: string;
  passwordFile: string;
  socketPath: string;
  dataDir: string;
  /** Changes when the server died and was started again. */
  readonly pid: number;
  /** For people: which server was chosen, and why. */
  chosen: string;
  /** Ends the server and gives the data folder free; may be called again. */
  stop(): Promise<void>;
}

const readyMsMax = 5 * 60_000;
const adoptMsMax = 60_000;
const stopGraceMs = 30_000;

/**
 * Starts the private MariaDB (or MySQL) of a data folder, getting one first when the machine has
 * none, and keeps it running until `stop`. A server that an owner left when it was killed is
 * adopted.
 * @throws OperatorError with exit code 69 (no server to be had, or it does not start), 75 (another
 * process owns the folder) or 78 (the folder cannot be used).
 */
export async function startPrivateServer(options: PrivateServerOptions): Promise<PrivateServer> {
  const folder = await openDataFolder(options.dataDir, options.engineDir);
  const lock = await lockDataFolder(folder.lock, {
    pid: process.pid,
    url: privateUrl(folder.socket),
    passwordFile: folder.password,
  });
  try {
    const password = await keepPassword(folder.password);
    const starting = { ...options, password };
    const running = (await adopt(folder, starting)) ?? (await start(folder, starting));
    // An adopted server's socket is where its own start put it; a later start keeps to it.
    folder.socket = running.process.socket;
    const restart = async (signal: AbortSignal) =>
      (await start(folder, { ...starting, signal })).process;
    let stopped: Promise<void> | undefined;
    const kept = keepRunning(running.process, restart, options.report);
    return {
      url: privateUrl(folder.socket, password),
      shownUrl: privateUrl(folder.socket),
      passwordFile: folder.password,
      socketPath: folder.socket,
      ...running.version,
      dataDir: folder.root,
      chosen: running.chosen,
      get pid() {
        return kept.current().pid;
      },
      stop() {
        const close = () => closeDataFolder(folder);
        stopped ??= kept.stop().then(close).finally(lock.release);
        return stopped;
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

interface Starting extends PrivateServerOptions {
  password: string;
}

/** Written before the server has it, so that a start that was cut short shuts nobody out. */
async function keepPassword(file: string): Promise<string> {
  const kept = await readOwnSecret(file);
  if (kept !== null && kept !== '') return kept;
  const made = randomBytes(24).toString('base64url');
  await writeOwnSecret(file, made);
  return made;
}

interface Running {
  process: ServerProcess;
  version: ServerVersion;
  chosen: string;
}

/** Takes over the server that an earlier owner left; one that does not answer is ended. */
async function adopt(folder: DataFolder, options: Starting): Promise<Running | undefined> {
  const orphan = await findRunningServer(folder);
  if (orphan === undefined) return undefined;
  await wakeServer(orphan);
  try {
    const wait = { ...options, log: folder.log, withinMs: adoptMsMax };
    const version = await connectPrivate(orphan, wait);
    const which = `${describeVersion(version)} (pid ${orphan.pid})`;
    const chosen = `${which}, left running by an earlier start that was killed`;
    return { process: orphan, version, chosen };
  } catch (error) {
    options.signal?.throwIfAborted();
    if (!(error instanceof OperatorError)) throw error;
    options.report(`Ending a database server (pid ${orphan.pid}) that does not answer …`);
    await endServer(orphan, stopGraceMs);
    return undefined;
  }
}

async function start(folder: DataFolder, options: Starting): Promise<Running> {
  await clearLeftovers(folder);
  const isNew = (await stat(folder.data).catch(() => undefined)) === undefined;
  const candidates = chooseServer(folder, {
    madeBy: isNew ? undefined : await readMadeBy(folder),
    searchPath: options.searchPath ?? defaultSearchPath(),
    report: options.report,
    signal: options.signal,
  });
  for await (const { server, why } of candidates) {
    const name = `${describeVersion(server)} at ${server.path}`;
    await writeMadeBy(folder, server);
    if (isNew) {
      options.report(`Making a new database with ${name} …`);
      const fault = await initialiseData(folder, server, options.signal);
      if (fault !== undefined) {
        // For example AppArmor on Ubuntu, which keeps an installed mysqld out of home folders.
        options.report(`That did not work: ${fault.split('\n').at(-1)}`);
        continue;
      }
    }
    const started = await spawnServer(folder, server);
    try {
      const wait = { ...options, log: folder.log, withinMs: readyMsMax };
      const version = await connectPrivate(started, wait);
      return { process: started, version, chosen: `${name}, ${why}` };
    } catch (error) {
      await endServer(started, stopGraceMs);
      throw error;
    }
  }
  throw new Error('chooseServer ends by throwing');
}
