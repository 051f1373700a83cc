import { lstat, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { LateResult, ResultSpool } from '../../domain/run/lateResult.ts';
import { decodeResult, encodeResult, fileNameOf } from './resultFile.ts';
import { whyNotTrusted } from './whyNotTrusted.ts';

/** A spool never takes more than this of a disk. */
interface SpoolBounds {
  readonly filesMax: number;
  readonly bytesMax: number;
}

const defaultBounds: SpoolBounds = { filesMax: 10_000, bytesMax: 1024 ** 3 };
/** Sizes are counted anew after this: keepers write beside this process. */
const countMsMax = 30_000;
/** A name that a write which was cut short has left. */
const staleMs = 3_600_000;

/**
 * One file for each launch whose result waits, in a folder for this user alone. A file is whole or
 * not there: written under another name, made durable, renamed, and the folder made durable. In a
 * folder that others may write to nothing is written, and nothing of it is believed.
 */
export function openSpool(folder: string, bounds = defaultBounds): ResultSpool {
  const room = new Room(folder, bounds);
  return {
    async write(result) {
      const bytes = encodeResult(result);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await requireOurs(folder);
      await room.require(bytes.byteLength);
      const path = join(folder, fileNameOf(result.launchId));
      const temporary = `${path}.${process.pid}.tmp`;
      try {
        await writeDurably(temporary, bytes);
        await rename(temporary, path);
      } catch (error) {
        await rm(temporary, { force: true }).catch(() => undefined); // the first error is thrown
        throw error;
      }
      await syncFolder(folder);
    },
    async remove(launchId) {
      await rm(join(folder, fileNameOf(launchId)), { force: true });
    },
    async list() {
      const names = await namesIn(folder);
      if (names.length > 0) await requireOurs(folder);
      return names.flatMap((name) => launchIdOf(name) ?? []).sort();
    },
    read: (launchId) => readResult(join(folder, fileNameOf(launchId)), launchId),
    async ageMs(launchId) {
      try {
        return Date.now() - (await stat(join(folder, fileNameOf(launchId)))).mtimeMs;
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
  };
}

function launchIdOf(name: string): string | null {
  const [, session, number] = /^([0-9A-Za-z]+)-(\d+)\.result$/.exec(name) ?? [];
  return session === undefined ? null : `${session}:${number}`;
}

async function readResult(
  path: string,
  launchId: string,
): Promise<LateResult | { damage: string } | null> {
  try {
    const result = decodeResult(await readFile(path));
    const isOther = 'launchId' in result && result.launchId !== launchId;
    return isOther ? { damage: `it is about ${result.launchId}` } : result;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

async function requireOurs(folder: string): Promise<void> {
  const why = whyNotTrusted(await lstat(folder));
  if (why !== null) throw new Error(`the spool ${folder} cannot be trusted: ${why}`);
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  // Of an earlier process with this number; nothing that stands there is written into.
  await rm(path, { force: true });
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Keeps the folder within its bounds, and free of what torn writes have left. */
class Room {
  readonly #folder: string;
  readonly #bounds: SpoolBounds;
  #files = 0;
  #bytes = 0;
  #countedMs = Number.NEGATIVE_INFINITY;

  constructor(folder: string, bounds: SpoolBounds) {
    this.#folder = folder;
    this.#bounds = bounds;
  }

  /** @throws when one more file of so many bytes is too much */
  async require(bytes: number): Promise<void> {
    if (!this.#hasRoom(bytes) || performance.now() - this.#countedMs > countMsMax) {
      await this.#count();
    }
    if (!this.#hasRoom(bytes)) {
      const { filesMax, bytesMax } = this.#bounds;
      throw new Error(`the spool is full (${filesMax} files or ${bytesMax} bytes)`);
    }
    this.#files += 1;
    this.#bytes += bytes;
  }

  #hasRoom(bytes: number): boolean {
    return this.#files < this.#bounds.filesMax && this.#bytes + bytes <= this.#bounds.bytesMax;
  }

  async #count(): Promise<void> {
    this.#countedMs = performance.now();
    let [files, bytes] = [0, 0];
    for (const name of await namesIn(this.#folder)) {
      const path = join(this.#folder, name);
      const found = await stat(path).catch(() => null); // it has just been removed
      if (found === null) continue;
      if (name.endsWith('.tmp') && Date.now() - found.mtimeMs > staleMs) {
        await rm(path, { force: true });
        continue;
      }
      files += 1;
      bytes += found.size;
    }
    this.#files = files;
    this.#bytes = bytes;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
