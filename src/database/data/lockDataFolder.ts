import type { FileHandle } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { OperatorError } from '../../domain/errors/errors.ts';
import { lockFile } from '../system/lockFile.ts';

/** What the owner of a data folder writes into the lock file for those who come second. */
interface FolderOwner {
  pid: number;
  /** How to connect to its database. */
  url: string;
  passwordFile?: string;
}

const ownerBytesMax = 4096;
const ownerWaitMs = 500;

/**
 * Takes the data folder for this process, until `release` or its end.
 * @throws OperatorError `already_running` (exit 75) that names the pid of the owner.
 */
export async function lockDataFolder(
  file: string,
  owner: FolderOwner,
): Promise<{ release: () => Promise<void> }> {
  const { handle, held } = await lockFile(file, 0);
  try {
    if (!held) throw await alreadyRunning(handle, file);
    await handle.truncate(0);
    await handle.write(`${JSON.stringify(owner)}\n`);
  } catch (error) {
    await handle.close();
    throw error;
  }
  return { release: () => handle.truncate(0).finally(() => handle.close()) };
}

async function alreadyRunning(handle: FileHandle, file: string): Promise<OperatorError> {
  const owner = await readOwner(handle);
  return new OperatorError({
    code: 'already_running',
    message:
      `Another statecron${owner === undefined ? '' : ` (pid ${owner.pid})`} ` +
      `already runs the private database of this data folder (${file}).`,
    hint:
      owner === undefined
        ? 'Wait until it is ready, or give this one another data folder.'
        : `Stop it (kill ${owner.pid}), give this one another data folder, or let it join: ` +
          `DATABASE_URL='${owner.url}'${passwordOf(owner)} statecron node --name second`,
    exitCode: 75,
  });
}

async function readOwner(handle: FileHandle): Promise<FolderOwner | undefined> {
  // The owner writes its name right after it has the lock; whoever reads between sees nothing.
  const until = performance.now() + ownerWaitMs;
  do {
    const place = { buffer: Buffer.alloc(ownerBytesMax), position: 0 };
    const { buffer, bytesRead } = await handle.read(place);
    const owner = parseOwner(buffer.toString('utf8', 0, bytesRead));
    if (owner !== undefined) return owner;
    await delay(25);
  } while (performance.now() < until);
  return undefined;
}

function parseOwner(text: string): FolderOwner | undefined {
  try {
    const owner = JSON.parse(text) as Partial<FolderOwner>;
    const { pid, url } = owner;
    return typeof pid === 'number' && typeof url === 'string' ? { ...owner, pid, url } : undefined;
  } catch {
    // Half written, or empty.
    return undefined;
  }
}

/** An owner of an earlier version has none. */
function passwordOf({ passwordFile }: FolderOwner): string {
  return passwordFile === undefined ? '' : ` STATECRON_DATABASE_PASSWORD_FILE='${passwordFile}'`;
}
