import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { lineBytesMax } from '../../domain/backup/backupLines.ts';
import {
  type BackupFault,
  BackupReader,
  type BackupStep,
} from '../../domain/backup/backupReader.ts';
import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';

/**
 * Goes through a backup, compressed or not, and gives what its lines say; after the last one it was
 * whole. In memory is a line and what a stream reads ahead.
 * @throws OperatorError `backup_foreign`, `backup_newer`, `backup_broken`, `backup_unreadable`.
 */
export async function* readBackupFile(file: string): AsyncGenerator<BackupStep> {
  const reader = new BackupReader();
  const hash = createHash('sha256');
  const digest = (): string => hash.copy().digest('hex');
  for await (const line of linesOf(file)) {
    const step = reader.take(line.toString('utf8'), digest);
    if ('fault' in step) throw faultOf(file, step);
    hash.update(line).update('\n');
    yield step;
  }
  const missing = reader.missing();
  if (missing !== null) throw faultOf(file, missing);
}

/** A last line without an end is a line too: it is one that was cut off, and none is whole so. */
async function* linesOf(file: string): AsyncGenerator<Buffer> {
  const stream = await openStream(file);
  let pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      let from = 0;
      for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, from)) {
        yield Buffer.concat([...pieces, chunk.subarray(from, end)]);
        pieces = [];
        bytes = 0;
        from = end + 1;
      }
      bytes += chunk.length - from;
      if (bytes > lineBytesMax) throw faultOf(file, tooLong);
      if (from < chunk.length) pieces.push(chunk.subarray(from));
    }
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw streamFault(file, error as NodeJS.ErrnoException);
  } finally {
    stream.destroy();
  }
  if (bytes > 0) yield Buffer.concat(pieces);
}

async function openStream(file: string): Promise<Readable> {
  try {
    const handle = await open(file, 'r');
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    await handle.close();
    const source = createReadStream(file, { highWaterMark: 256 * 1024 });
    if (buffer.readUInt16BE() !== gzipMagic) return source;
    const gunzip = createGunzip();
    source.on('error', (error) => gunzip.destroy(error));
    gunzip.on('close', () => source.destroy());
    return source.pipe(gunzip);
  } catch (error) {
    throw streamFault(file, error as NodeJS.ErrnoException);
  }
}

const gzipMagic = 0x1f8b;
const tooLong: BackupFault = { fault: 'broken', message: 'a line of it has no end' };

function streamFault(file: string, error: NodeJS.ErrnoException): OperatorError {
  if (error.code?.startsWith('Z_') === true) {
    return faultOf(file, { fault: 'broken', message: `it cannot be unpacked: ${error.message}` });
  }
  return new OperatorError({
    code: 'backup_unreadable',
    message: `The backup ${file} cannot be read: ${error.message}.`,
    hint: 'Check its name and that this user may read it.',
    exitCode: exitCodes.usage,
    cause: error,
  });
}

const hints: Record<BackupFault['fault'], string> = {
  foreign: 'Give a file that was written by: statecron backup FILE',
  newer: 'Restore it with that version of statecron, or a later one.',
  broken: 'It cannot be restored. Take another backup.',
};

function faultOf(file: string, { fault, message }: BackupFault): OperatorError {
  return new OperatorError({
    code: `backup_${fault}`,
    message: `${file} is not restored: ${message}.`,
    hint: hints[fault],
  });
}
