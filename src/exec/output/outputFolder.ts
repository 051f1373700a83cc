import { lstat, mkdir, opendir, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { type OutputFilePlan, outputFileOf } from '../../domain/run/wholeOutput.ts';
import { requireTrusted } from '../result/whyNotTrusted.ts';

/** Where a node writes the whole output of its runs. */
export interface OutputSettings {
  /** Null: it writes no files. */
  readonly files: OutputFolderSettings | null;
  /** Each line goes to journald. */
  readonly isJournaled: boolean;
}

interface OutputFolderSettings {
  /** Absolute. */
  readonly folder: string;
  readonly fileBytesMax: number;
  /** Of all files together; the oldest go first. */
  readonly totalBytesMax: number;
  /** The same by their number, since a small file takes room as well; absent: 100,000. */
  readonly filesMax?: number;
}

const filesMaxDefault = 100_000;
/** A cleaning makes so much room that the next one is not due at once. */
const keptShare = 0.9;

interface FoundFile {
  readonly file: string;
  readonly bytes: number;
  readonly changedMs: number;
}

/** The folder with the whole outputs of a node's runs: what is too much goes, the oldest first. */
export class OutputFolder {
  readonly #settings: OutputFolderSettings;
  readonly #trouble: (what: string, error: unknown) => void;
  /** Files of runs that have not ended. */
  readonly #open = new Set<string>();
  /** As of the last look, with what was written since. */
  #bytes = 0;
  #files = 0;
  #cleaning: Promise<void> | null = null;

  constructor(
    settings: OutputFolderSettings,
    trouble: (what: string, error: unknown) => void = () => undefined,
  ) {
    this.#settings = settings;
    this.#trouble = trouble;
    void this.clean();
  }

  /** Where a launch is to write; call `ended` with it when the run has. */
  begin(jobId: number, launchId: string): OutputFilePlan {
    const { fileBytesMax, folder } = this.#settings;
    const file = outputFileOf(folder, jobId, launchId);
    this.#open.add(file);
    return { path: file, bytesMax: fileBytesMax };
  }

  ended({ bytesMax, path: file }: OutputFilePlan, outputBytes: number): void {
    this.#open.delete(file);
    if (outputBytes === 0) return;
    this.#bytes += Math.min(outputBytes, bytesMax);
    this.#files += 1;
    if (this.#isFull()) void this.clean();
  }

  /** Looks at all files, and removes the oldest of them where they are too many or too large. */
  clean(): Promise<void> {
    this.#cleaning ??= this.#removeOldest()
      .catch((error) => this.#trouble('the files of outputs were not cleaned', error))
      .finally(() => {
        this.#cleaning = null;
      });
    return this.#cleaning;
  }

  #isFull(): boolean {
    const { filesMax = filesMaxDefault, totalBytesMax } = this.#settings;
    return this.#bytes > totalBytesMax || this.#files > filesMax;
  }

  async #removeOldest(): Promise<void> {
    const { filesMax = filesMaxDefault, folder, totalBytesMax } = this.#settings;
    const found = await filesIn(folder);
    this.#files = found.length;
    this.#bytes = found.reduce((sum, { bytes }) => sum + bytes, 0);
    if (!this.#isFull()) return;
    const folders = new Set<string>();
    for (const { bytes, file } of found.sort((one, other) => one.changedMs - other.changedMs)) {
      const isRoom =
        this.#bytes <= totalBytesMax * keptShare && this.#files <= filesMax * keptShare;
      if (isRoom) break;
      if (this.#open.has(file)) continue;
      await rm(file, { force: true });
      folders.add(path.dirname(file));
      this.#bytes -= bytes;
      this.#files -= 1;
    }
    // One that has files still stays.
    for (const each of folders) await rmdir(each).catch(() => undefined);
  }
}

/** Makes the folder where it is missing. @throws when others may write to it, or it cannot be. */
export async function makeOutputFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await requireTrusted(folder, 'the folder');
}

/** Only what can be a run's: nothing else that stands there is anybody's to remove. */
async function filesIn(folder: string): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  for await (const job of await opendir(folder)) {
    if (!job.isDirectory() || !/^\d+$/.test(job.name)) continue;
    const ofJob = path.join(folder, job.name);
    for await (const { name } of await opendir(ofJob)) {
      if (!/^[0-9A-Za-z]+-\d+\.log$/.test(name)) continue;
      const file = path.join(ofJob, name);
      const stats = await lstat(file).catch(() => null); // another node has just removed it
      if (stats?.isFile()) found.push({ file, bytes: stats.size, changedMs: stats.mtimeMs });
    }
  }
  return found;
}
