import { type Reason, reasons } from '../../domain/reasons/reasons.ts';
import { describeCode } from '../spawn/spawnFailure.ts';
import { endMsMax, HeldOutput } from './heldOutput.ts';
import type { JournalHelper } from './journalHelper.ts';
import type { OutputSink } from './outputSink.ts';

/** journald takes fields of any size, a datagram does not; its own streams are cut here as well. */
const lineBytesMax = 48 * 1024;

/** Each line that a run prints as an entry of the journal of its node. */
export class JournalOutput implements OutputSink {
  readonly #helper: JournalHelper;
  readonly #held: HeldOutput;
  readonly #fields: Buffer;
  readonly #number: number;
  /** What the last piece has of a line that is not over. */
  #rest = Buffer.alloc(0);
  #isUsed = false;
  #fault: Reason | null = null;
  #onEnd = (): void => undefined;
  /** Gives the journal up when its end is not answered. */
  #late: NodeJS.Timeout | null = null;

  /**
   * @param fields of every entry, e.g. STATECRON_JOB
   * @param hold says whether the run's output is to be left unread for now
   */
  constructor(
    fields: Readonly<Record<string, string>>,
    helper: JournalHelper,
    hold: (isHeld: boolean) => void,
  ) {
    this.#fields = Buffer.concat(
      Object.entries(fields).map(([name, value]) => fieldOf(name, Buffer.from(value))),
    );
    this.#helper = helper;
    this.#held = new HeldOutput(hold, () => this.#giveUp(noAnswer));
    this.#number = helper.begin({
      lost: (code) => this.#giveUp(describeCode(code)),
      ended: () => this.#onEnd(),
      sent: (isAll) => this.#sent(isAll),
    });
  }

  write(bytes: Uint8Array): void {
    if (this.#helper.isStuck) this.#giveUp(noAnswer);
    if (this.#fault !== null) return;
    const data = Buffer.concat([this.#rest, bytes]);
    let at = 0;
    for (let end = lineEnd(data, at); end !== -1; end = lineEnd(data, at)) {
      this.#send(data.subarray(at, end));
      at = data[end] === newline ? end + 1 : end;
    }
    this.#rest = Buffer.from(data.subarray(at));
    if (this.#helper.isBehind && !this.#held.isHeld) this.#held.hold();
  }

  /** Resolves when journald has all, or never will: to what the run says of that. */
  async end(): Promise<Reason | null> {
    if (this.#fault === null) this.#send(this.#rest);
    if (this.#isUsed) {
      const ended = new Promise<void>((resolve) => {
        this.#onEnd = resolve;
      });
      this.#helper.send(this.#number, Buffer.alloc(0));
      if (this.#fault === null) {
        this.#late = setTimeout(() => this.#giveUp(noAnswer), endMsMax);
        await ended;
        clearTimeout(this.#late);
      }
    }
    this.#held.release();
    this.#helper.forget(this.#number);
    return this.#fault;
  }

  #send(line: Buffer): void {
    // journald takes no entry without a message for one.
    if (line.length === 0) return;
    this.#isUsed = true;
    this.#helper.send(this.#number, Buffer.concat([this.#fields, fieldOf('MESSAGE', line)]));
  }

  /** A journal that is slow is waited for as long as it goes on taking. */
  #sent(isAll: boolean): void {
    this.#late?.refresh();
    if (isAll) this.#held.release();
    else if (this.#held.isHeld) this.#held.hold();
  }

  #giveUp(why: string): void {
    this.#fault ??= reasons.outputIncomplete('output in the journal', why);
    this.#held.release();
    this.#onEnd();
  }
}

const newline = 0x0a;
const noAnswer = 'journald did not answer';

/** Where the line ends that begins there, or is cut since it is too long; -1: it goes on. */
function lineEnd(data: Buffer, from: number): number {
  const end = data.indexOf(newline, from);
  if (end !== -1 && end - from <= lineBytesMax) return end;
  return data.length - from > lineBytesMax ? from + lineBytesMax : -1;
}

/** In the form for any bytes: name, newline, length (64 bits, little endian), value, newline. */
function fieldOf(name: string, value: Buffer): Buffer {
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(value.length));
  return Buffer.concat([Buffer.from(`${name}\n`), length, value, Buffer.from('\n')]);
}
