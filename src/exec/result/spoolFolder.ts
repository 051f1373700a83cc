import type { FileHandle } from 'node:fs/promises';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { LateResult, ResultSpool } from '../../domain/run/lateResult.ts';
import { decodeResult, encodeResult, fileNameOf } from './resultFile.ts';
import { requireTrusted } from './whyNotTrusted.ts';

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
 * One file for each launch whose result waits. A file is whole or not there: written under another
 * name, made durable, renamed, and the folder made durable. A folder that others may write to is
 * neither written to nor read.
 */
export function openSpool(folder: string, bounds = defaultBounds): ResultSpool {
  const room = new Room(folder, bounds);
  return {
    async write(result) {
      const bytes = encodeResult(result);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await requireTrusted(folder, 'the spool');
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
      await withOpen(folder, 'r', (handle) => handle.sync());
    },
    async remove(launchId) {
      await rm(join(folder, fileNameOf(launchId)), { force: true });
    },
    async list() {
      const names = await namesIn(folder);
      if (names.length > 0) await requireTrusted(folder, 'the spool');
      return names.flatMap(launchIdOf).sort();
    },
    read: (launchId) => readResult(join(folder, fileNameOf(launchId)), launchId),
    async ageMs(launchId) {
      const found = await unlessMissing(stat(join(folder, fileNameOf(launchId))));
      return found === null ? null : Date.now() - found.mtimeMs;
    },
  };
}

function launchIdOf(name: string): string | [] {
  const [, session, number] = /^([0-9A-Za-z]+)-(\d+)\.result$/.exec(name) ?? [];
  return session === undefined ? [] : `${session}:${number}`;
}

async function readResult(
  path: string,
  launchId: string,
): Promise<LateResult | { damage: string } | null> {
  const bytes = await unlessMissing(readFile(path));
  if (bytes === null) return null;
  const result = decodeResult(bytes);
  const isOther = 'launchId' in result && result.launchId !== launchId;
  return isOther ? { damage: `it is about ${result.launchId}` } : result;
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  // Of an earlier process with this number; nothing that stands there is written into.
  await rm(path, { force: true });
  await withOpen(path, 'wx', async (file) => {
    await file.writeFile(bytes);
    await file.sync();
  });
}

async function withOpen(path: string, flags: 'r' | 'wx', use: (file: FileHandle) => Promise<void>) {
  const file = await open(path, flags, 0o600);
  try {
    await use(file);
  } finally {
    await file.close();
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
    const isOld = performance.now() - this.#countedMs > countMsMax;
    if (isOld || !this.#hasRoom(bytes)) await this.#count();
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
  return (await unlessMissing(readdir(folder))) ?? [];
}

/** Null: there is no such file or folder. */
function unlessMissing<T>(found: Promise<T>): Promise<T | null> {
  return found.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}
