import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type BackupEnd, encodeRow } from '../../domain/backup/backupLines.ts';
import { OperatorError } from '../../domain/errors/errors.ts';
import type { BackupSink } from '../../store/backup/readBackup.ts';

interface BackupWritten {
  readonly rows: Readonly<Record<string, number>>;
  /** How many of the jobs are removed: their history needs them. */
  readonly removed: number;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Writes a backup beside its place and moves it there when it is whole and on the disk, readable by
 * its owner alone: it has the secrets of jobs. A name that ends in `.gz` is compressed.
 * @throws OperatorError `file_exists`, `file_unwritable`; what `read` throws. Nothing stays behind.
 */
export async function writeBackupFile(
  file: string,
  read: (sink: BackupSink) => Promise<void>,
  progress: (table: string, rows: number) => void = () => undefined,
): Promise<BackupWritten> {
  if (existsSync(file)) throw fileExists(file);
  const temporary = `${file}.${randomBytes(4).toString('hex')}.partial`;
  // Opened here and not by the stream: one that fails before it is open would make the file later.
  const opened = await open(temporary, 'wx', 0o600).catch((error: Error) => {
    throw fileUnwritable(file, error);
  });
  const target = opened.createWriteStream();
  try {
    const writer = new BackupWriter(target, file.endsWith('.gz'), progress);
    await read(writer);
    const written = await writer.end();
    await syncAt(temporary);
    if (existsSync(file)) throw fileExists(file);
    await rename(temporary, file);
    await syncAt(path.dirname(path.resolve(file)));
    return { ...written, bytes: target.bytesWritten };
  } catch (error) {
    const failure = target.errored;
    target.destroy();
    await rm(temporary, { force: true });
    throw failure === null ? error : fileUnwritable(file, failure);
  }
}

class BackupWriter implements BackupSink {
  readonly #out: Writable;
  readonly #written: Promise<unknown>;
  readonly #hash = createHash('sha256');
  readonly #rows: Record<string, number> = {};
  readonly #progress: (table: string, rows: number) => void;
  #removed = 0;
  /** The column of `job` that says when it was removed; -1: another table. */
  #removedAt = -1;

  constructor(
    target: Writable,
    isCompressed: boolean,
    progress: (table: string, rows: number) => void,
  ) {
    this.#progress = progress;
    this.#written = finished(target);
    // The next `#write` rejects with it.
    this.#written.catch(() => undefined);
    if (!isCompressed) this.#out = target;
    else {
      const gzip = createGzip();
      target.on('error', (error) => gzip.destroy(error));
      gzip.on('error', () => undefined);
      gzip.pipe(target);
      this.#out = gzip;
    }
  }

  async begin(head: Parameters<BackupSink['begin']>[0]): Promise<void> {
    await this.#write(`${JSON.stringify(head)}\n`);
  }

  async table(table: string, columns: readonly string[]): Promise<void> {
    this.#rows[table] = 0;
    this.#removedAt = table === 'job' ? columns.indexOf('removed_at') : -1;
    await this.#write(`${JSON.stringify({ table, columns })}\n`);
  }

  async rows(table: string, rows: readonly (readonly unknown[])[]): Promise<void> {
    this.#rows[table] = (this.#rows[table] ?? 0) + rows.length;
    if (this.#removedAt >= 0) {
      this.#removed += rows.filter((row) => row[this.#removedAt] !== null).length;
    }
    await this.#write(rows.map((row) => `${encodeRow(row)}\n`).join(''));
    this.#progress(table, rows.length);
  }

  async end(): Promise<Omit<BackupWritten, 'bytes'>> {
    const end: BackupEnd = { rows: this.#rows, sha256: this.#hash.digest('hex') };
    this.#out.end(`${JSON.stringify({ end })}\n`);
    await this.#written;
    return { ...end, removed: this.#removed };
  }

  /** No faster than the disk, so that in memory is a page. */
  async #write(text: string): Promise<void> {
    this.#hash.update(text);
    if (this.#out.destroyed) await this.#written;
    if (!this.#out.write(text)) await Promise.race([once(this.#out, 'drain'), this.#written]);
  }
}

async function syncAt(name: string): Promise<void> {
  const handle = await open(name, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Its errors are named as those of a connection are. */
function fileUnwritable(file: string, { message }: Error): OperatorError {
  return new OperatorError({
    code: 'file_unwritable',
    message: `The backup cannot be written to ${file}: ${message}.`,
    hint: 'Check the folder, its permissions and its room; nothing is left behind.',
  });
}

function fileExists(file: string): OperatorError {
  return new OperatorError({
    code: 'file_exists',
    message: `There is a file ${file} already.`,
    hint: 'A backup overwrites nothing; take a name with the time: "$(date +%F-%H%M%S).gz"',
  });
}
