import {
  type BackupHead,
  type BackupTable,
  type BackupValue,
  decodeEnd,
  decodeHead,
  decodeRow,
  decodeTable,
} from './backupLines.ts';

/** What is wrong with a file that was given as a backup. */
export interface BackupFault {
  readonly fault: 'foreign' | 'newer' | 'broken';
  readonly message: string;
}

/** What one line of a backup says. */
export type BackupStep =
  | { readonly kind: 'head'; readonly head: BackupHead }
  | { readonly kind: 'table'; readonly table: BackupTable }
  | { readonly kind: 'row'; readonly table: BackupTable; readonly values: BackupValue[] }
  | { readonly kind: 'end' };

/**
 * Goes through a backup line by line and holds each against what may come there. The caller counts
 * the bytes into a checksum and gives it with the last line; a file is whole when `isWhole`.
 */
export class BackupReader {
  readonly rows = new Map<string, number>();
  isWhole = false;
  #isBegun = false;
  #table: BackupTable | null = null;
  #lines = 0;

  /** `sha256` of everything before this line; computed at the end alone. */
  take(line: string, sha256: () => string): BackupStep | BackupFault {
    this.#lines += 1;
    if (!this.#isBegun) return this.#begin(line);
    if (this.isWhole) return this.#broken('something follows its end');
    if (line.startsWith('[')) return this.#takeRow(line);
    const table = decodeTable(line);
    if (table !== null) return this.#takeTable(table);
    const end = decodeEnd(line);
    if (end === null) return this.#broken('it is none that a backup has');
    if (end.sha256 !== sha256()) return this.#broken('the checksum is another: it was changed');
    const counted = Object.entries(end.rows);
    const isSame = counted.every(([name, rows]) => this.rows.get(name) === rows);
    if (!isSame || counted.length !== this.rows.size) return this.#broken('rows are missing');
    this.isWhole = true;
    return { kind: 'end' };
  }

  /** What a file lacks that has no more lines; null: nothing. */
  missing(): BackupFault | null {
    if (this.isWhole) return null;
    if (!this.#isBegun) return foreign;
    return { fault: 'broken', message: `it is cut off after line ${this.#lines}` };
  }

  #begin(line: string): BackupStep | BackupFault {
    const head = decodeHead(line);
    if (!('fault' in head)) {
      this.#isBegun = true;
      return { kind: 'head', head };
    }
    if (head.fault === 'foreign') return foreign;
    return { fault: 'newer', message: 'a later version of statecron wrote it, in another form' };
  }

  #takeTable(table: BackupTable): BackupStep | BackupFault {
    if (this.rows.has(table.table)) return this.#broken('a table begins a second time');
    this.rows.set(table.table, 0);
    this.#table = table;
    return { kind: 'table', table };
  }

  #takeRow(line: string): BackupStep | BackupFault {
    const table = this.#table;
    const values = table === null ? null : decodeRow(line, table.columns.length);
    if (table === null || values === null) return this.#broken('it is no row of its table');
    this.rows.set(table.table, (this.rows.get(table.table) ?? 0) + 1);
    return { kind: 'row', table, values };
  }

  #broken(what: string): BackupFault {
    return { fault: 'broken', message: `line ${this.#lines}: ${what}` };
  }
}

const foreign: BackupFault = { fault: 'foreign', message: 'it is no backup of statecron' };
