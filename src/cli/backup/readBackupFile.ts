import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import {
  type BackupHead,
  type BackupTable,
  type BackupValue,
  decodeEnd,
  decodeHead,
  decodeRow,
  decodeTable,
  lineBytesMax,
} from '../../domain/backup/backupLines.ts';
import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';

/** What one line of a backup has; of the last one nothing is passed on. */
type BackupStep =
  | { readonly kind: 'head'; readonly head: BackupHead }
  | { readonly kind: 'table'; readonly table: BackupTable }
  | { readonly kind: 'row'; readonly table: BackupTable; readonly values: BackupValue[] };

/**
 * Goes through a backup, compressed or not, line by line, and checks each against what may come
 * there; it comes to its end only when the file was whole. In memory is a line and what a stream
 * reads ahead.
 * @throws OperatorError `backup_foreign`, `backup_newer`, `backup_broken`, `backup_unreadable`.
 */
export async function* readBackupFile(file: string): AsyncGenerator<BackupStep> {
  const hash = createHash('sha256');
  const rows = new Map<string, number>();
  let table: BackupTable | null = null;
  let lines = 0;
  let isWhole = false;
  const broken = (what: string) => faultOf(file, 'broken', `line ${lines}: ${what}`);
  for await (const bytes of linesOf(file)) {
    const line = bytes.toString('utf8');
    lines += 1;
    if (isWhole) throw broken('something follows its end');
    if (lines === 1) yield { kind: 'head', head: headOf(file, line) };
    else if (line.startsWith('[')) {
      const values = table === null ? null : decodeRow(line, table.columns.length);
      if (table === null || values === null) throw broken('it is no row of its table');
      rows.set(table.table, (rows.get(table.table) ?? 0) + 1);
      yield { kind: 'row', table, values };
    } else {
      const next = decodeTable(line);
      if (next === null) {
        const why = whyNotWhole(line, rows, () => hash.digest('hex'));
        if (why !== null) throw broken(why);
        isWhole = true;
        continue;
      }
      if (rows.has(next.table)) throw broken('a table begins a second time');
      rows.set(next.table, 0);
      table = next;
      yield { kind: 'table', table };
    }
    hash.update(bytes).update('\n');
  }
  if (lines === 0) throw foreign(file);
  if (!isWhole) throw faultOf(file, 'broken', `it is cut off after line ${lines}`);
}

function headOf(file: string, line: string): BackupHead {
  const head = decodeHead(line);
  if (!('fault' in head)) return head;
  if (head.fault === 'foreign') throw foreign(file);
  throw faultOf(file, 'newer', 'a later version of statecron wrote it, in another form');
}

/** Compares the last line with what was read; null: nothing is missing, or was changed. */
function whyNotWhole(
  line: string,
  rows: ReadonlyMap<string, number>,
  digest: () => string,
): string | null {
  const end = decodeEnd(line);
  if (end === null) return 'a backup has no such line';
  if (end.sha256 !== digest()) return 'the checksum is another: it was changed';
  const counted = Object.entries(end.rows);
  const isSame = counted.every(([name, count]) => rows.get(name) === count);
  return isSame && counted.length === rows.size ? null : 'rows are missing';
}

/** A last line without an end is a line, too: it was cut off, and never makes a file whole. */
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
      if (bytes > lineBytesMax) throw faultOf(file, 'broken', 'a line of it has no end');
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

function streamFault(file: string, error: NodeJS.ErrnoException): OperatorError {
  if (error.code?.startsWith('Z_') === true) {
    return faultOf(file, 'broken', `it cannot be unpacked: ${error.message}`);
  }
  return new OperatorError({
    code: 'backup_unreadable',
    message: `The backup ${file} cannot be read: ${error.message}.`,
    hint: 'Check its name and that this user may read it.',
    exitCode: exitCodes.usage,
    cause: error,
  });
}

const foreign = (file: string) => faultOf(file, 'foreign', 'it is no backup of statecron');

const hints = {
  foreign: 'Give a file that was written by: statecron backup FILE',
  newer: 'Restore it with that version of statecron, or a later one.',
  broken: 'It cannot be restored. Take another backup.',
};

function faultOf(file: string, kind: keyof typeof hints, message: string): OperatorError {
  const code = `backup_${kind}`;
  return new OperatorError({
    code,
    message: `${file} is not restored: ${message}.`,
    hint: hints[kind],
  });
}
