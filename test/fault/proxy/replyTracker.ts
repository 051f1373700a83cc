import { command } from './command.ts';
import { type Packet, payloadBytesMax } from './packetReader.ts';

type Awaits =
  /** What a result begins with: OK, an error, or the number of its columns. */
  | { what: 'result' }
  | { what: 'columns'; left: number }
  | { what: 'end of columns' }
  | { what: 'rows' }
  | { what: 'prepared' }
  | { what: 'packets'; left: number }
  /** OK or an error, with a dialogue before it. */
  | { what: 'verdict' }
  /** A stream without an end. */
  | { what: 'ever' };

const okHeader = 0x00;
const endHeader = 0xfe;
const infileHeader = 0xfb;
const errorHeader = 0xff;
/** MariaDB's progress reports look like errors of this number. */
const progressNumber = 0xff_ff;
const endPayloadBytesMax = 8;
const moreResults = 0x0008;
const cursorExists = 0x0040;

/**
 * Follows the packets of one reply and knows which is the last: of all result sets, with columns,
 * rows and their ends, of statements that are prepared, and of simple commands.
 */
export class ReplyTracker {
  #awaits: Awaits;
  readonly #hasOkAtEnd: boolean;

  /** `hasOkAtEnd`: the client negotiated CLIENT_DEPRECATE_EOF. */
  constructor(code: number, hasOkAtEnd: boolean) {
    this.#awaits = firstOf(code);
    this.#hasOkAtEnd = hasOkAtEnd;
  }

  /** The packet asks the client for something (a file), and the reply goes on after that. */
  requestsFile(packet: Packet): boolean {
    return this.#awaits.what === 'result' && packet.payload[0] === infileHeader;
  }

  /** Takes the next packet of the reply; true when it was the last. */
  take(packet: Packet): boolean {
    if (packet.isContinuation) return false;
    const { payload } = packet;
    const header = payload[0] ?? okHeader;
    if (header === errorHeader) return !isProgress(payload);
    switch (this.#awaits.what) {
      case 'result':
        return this.#takeResult(payload, header);
      case 'columns':
        return this.#takeColumn(this.#awaits.left - 1);
      case 'end of columns':
        this.#awaits = { what: 'rows' };
        return (payload.readUInt16LE(3) & cursorExists) !== 0; // the rows are fetched later
      case 'rows':
        return this.#takeRow(payload, header);
      case 'prepared':
        return this.#takePrepared(payload);
      case 'packets':
        this.#awaits = { what: 'packets', left: this.#awaits.left - 1 };
        return this.#awaits.left === 0;
      case 'verdict':
        return header === okHeader;
      case 'ever':
        return false;
    }
  }

  #takeResult(payload: Buffer, header: number): boolean {
    if (header === okHeader) return !(statusOfOk(payload) & moreResults);
    if (header === infileHeader) return false; // the client's file, then a result again
    this.#awaits = { what: 'columns', left: readLength(payload, 0).value };
    return false;
  }

  #takeColumn(left: number): boolean {
    if (left > 0) this.#awaits = { what: 'columns', left };
    else this.#awaits = { what: this.#hasOkAtEnd ? 'rows' : 'end of columns' };
    return false;
  }

  #takeRow(payload: Buffer, header: number): boolean {
    // A row may begin with 0xfe too: with the length of a column of 16 MiB or more.
    const lengthMax = this.#hasOkAtEnd ? payloadBytesMax - 1 : endPayloadBytesMax;
    if (header !== endHeader || payload.length > lengthMax) return false;
    const status = this.#hasOkAtEnd ? statusOfOk(payload) : payload.readUInt16LE(3);
    if (!(status & moreResults)) return true;
    this.#awaits = { what: 'result' };
    return false;
  }

  #takePrepared(payload: Buffer): boolean {
    const withEnd = (count: number) => (count > 0 && !this.#hasOkAtEnd ? count + 1 : count);
    const left = withEnd(payload.readUInt16LE(5)) + withEnd(payload.readUInt16LE(7));
    this.#awaits = { what: 'packets', left };
    return left === 0;
  }
}

function firstOf(code: number): Awaits {
  switch (code) {
    case command.query:
    case command.statementExecute:
    case command.statementBulkExecute:
      return { what: 'result' };
    case command.statementPrepare:
      return { what: 'prepared' };
    case command.fieldList:
    case command.statementFetch:
      return { what: 'rows' };
    case command.changeUser:
      return { what: 'verdict' };
    case command.binlogDump:
    case command.binlogDumpGtid:
      return { what: 'ever' };
    default:
      return { what: 'packets', left: 1 };
  }
}

function isProgress(payload: Buffer): boolean {
  return payload.length >= 3 && payload.readUInt16LE(1) === progressNumber;
}

/** The status flags of an OK packet, after the affected rows and the last insert id. */
function statusOfOk(payload: Buffer): number {
  const insertId = readLength(payload, 1).end;
  const { end } = readLength(payload, insertId);
  return payload.length >= end + 2 ? payload.readUInt16LE(end) : 0;
}

/** An integer in the protocol's own coding of one to nine bytes. */
function readLength(payload: Buffer, start: number): { value: number; end: number } {
  const first = payload[start] ?? 0;
  if (first === 0xfc) return { value: payload.readUInt16LE(start + 1), end: start + 3 };
  if (first === 0xfd) return { value: payload.readUIntLE(start + 1, 3), end: start + 4 };
  if (first === 0xfe) {
    return { value: Number(payload.readBigUInt64LE(start + 1)), end: start + 9 };
  }
  return { value: first, end: start + 1 };
}
