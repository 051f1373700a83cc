import { constants } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { type Reason, reasons } from '../../domain/reasons/reasons.ts';
import type { OutputFilePlan } from '../../domain/run/wholeOutput.ts';
import { describeCode } from '../spawn/spawnFailure.ts';
import type { DiskQueue } from './diskQueue.ts';
import { endMsMax, HeldOutput } from './heldOutput.ts';
import type { OutputSink } from './outputSink.ts';

/** When so much of a run waits to be written its job has to wait, until there is less again. */
const waitingBytesMax = 1024 * 1024;
const waitingBytesAgain = waitingBytesMax / 4;

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
/** Never into what stands there already, be it a link of the job's user. */
const flags = O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW;

/**
 * The whole output of one run in a file, written beside the thread that reads it. A job that prints
 * faster than the disk takes it has to wait, as with `> file`. What goes wrong ends the file, and
 * not the run.
 */
export class OutputFile implements OutputSink {
  readonly #plan: OutputFilePlan;
  readonly #disk: DiskQueue;
  readonly #held: HeldOutput;
  #waiting: Buffer[] = [];
  /** With those that are being written. */
  #waitingBytes = 0;
  #leftBytes: number;
  #isCut = false;
  #file: FileHandle | null = null;
  #writing: Promise<void> | null = null;
  #fault: Reason | null = null;
  #onFault = (): void => undefined;

  /** @param hold says whether the run's output is to be left unread for now */
  constructor(plan: OutputFilePlan, disk: DiskQueue, hold: (isHeld: boolean) => void) {
    this.#plan = plan;
    this.#disk = disk;
    this.#held = new HeldOutput(hold, () => this.#giveUp(noAnswer));
    this.#leftBytes = plan.bytesMax;
  }

  /** Takes a copy. */
  write(bytes: Uint8Array): void {
    if (this.#disk.isStuck) this.#giveUp(noAnswer);
    if (this.#fault !== null || this.#isCut || bytes.length === 0) return;
    this.#push(Buffer.from(bytes.subarray(0, this.#leftBytes)));
    this.#isCut = bytes.length > this.#leftBytes;
    this.#leftBytes = Math.max(0, this.#leftBytes - bytes.length);
    if (this.#isCut) this.#push(endNote(this.#plan.bytesMax));
    if (this.#waitingBytes > waitingBytesMax && !this.#held.isHeld) this.#held.hold();
    this.#writing ??= this.#writeAll();
  }

  /** Resolves when all is written, or never will be: to what the run says of that. */
  async end(): Promise<Reason | null> {
    const closed = this.#close();
    if (this.#fault !== null) return this.#fault;
    const late = setTimeout(() => this.#giveUp(noAnswer), endMsMax);
    const gaveUp = new Promise<void>((resolve) => {
      this.#onFault = resolve;
    });
    await Promise.race([closed, gaveUp]);
    clearTimeout(late);
    return this.#fault;
  }

  #push(bytes: Buffer): void {
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.#waiting.length > 0) await this.#disk.run(() => this.#writeWaiting());
    } catch (error) {
      this.#giveUp(incomplete(error));
    }
    this.#writing = null;
  }

  async #writeWaiting(): Promise<void> {
    this.#file ??= await openFile(this.#plan.path);
    const [pieces, bytes] = [this.#waiting, this.#waitingBytes];
    this.#waiting = [];
    const { bytesWritten } = await this.#file.writev(pieces);
    if (bytesWritten < bytes) {
      await this.#file.appendFile(Buffer.concat(pieces).subarray(bytesWritten));
    }
    this.#waitingBytes -= bytes;
    if (!this.#held.isHeld) return;
    if (this.#waitingBytes < waitingBytesAgain) this.#held.release();
    else this.#held.hold();
  }

  async #close(): Promise<void> {
    await this.#writing;
    const file = this.#file;
    this.#file = null;
    if (file === null) return;
    // Some file systems report here what could not be written.
    await this.#disk.run(() => file.close()).catch((error) => this.#giveUp(incomplete(error)));
  }

  #giveUp(why: Reason): void {
    this.#fault ??= why;
    this.#waiting = [];
    this.#held.release();
    this.#onFault();
  }
}

const noAnswer = incompleteFile('the disk did not answer');

function endNote(bytesMax: number): Buffer {
  return Buffer.from(`\n[statecron: the file ends here, after ${bytesMax} bytes]\n`);
}

function incompleteFile(why: string): Reason {
  return reasons.outputIncomplete('output file', why);
}

function incomplete(error: unknown): Reason {
  const { code, message } = error as NodeJS.ErrnoException;
  return incompleteFile(code === undefined ? message : describeCode(code));
}

/** In a folder of its job, which is made when it is needed: a cleaning takes away empty ones. */
async function openFile(file: string): Promise<FileHandle> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await open(file, flags, 0o600);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries === triesMax) throw error;
      await mkdir(path.dirname(file), { mode: 0o700 }).catch(unlessThere);
    }
  }
}

const triesMax = 3;

/** Another run of the job has made it. */
function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
