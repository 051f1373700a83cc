import { execFileSync } from 'node:child_process';
import fs, { constants } from 'node:fs';
import { type OnReadOpts, Socket, type SocketConstructorOpts } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Child, ChildListener } from './spawner.ts';

/**
 * After the exit: the output counts as read when nothing has come in so many turns of the event
 * loop, each of which polls the pipe. Time alone says nothing: a blocked thread polls nothing.
 */
const quietTurns = 10;
const turnsMax = 250;
const turnMs = 2;

/** One for all pipes of a thread, whose readers copy: V8 would let 64 MB of buffers pile up. */
const sharedBuffer = new Uint8Array(65_536);

/** The output of a child of Node's own spawn: a real pipe, read to its end. */
export class OutputPipe implements Child {
  ended = false;
  /** From the exit on, the end is reported to the listener. */
  afterExit = false;
  #socket: Socket | null = null;
  #abandoned = false;
  #turnsWithoutOutput = 0;
  readonly #listener: ChildListener;

  constructor(listener: ChildListener) {
    this.#listener = listener;
  }

  /** Begins to read; returns the writing end. @throws what `FifoStore.open` throws */
  open(fifos: FifoStore): number {
    const { readFd, writeFd } = fifos.open();
    const onread: OnReadOpts = {
      buffer: sharedBuffer,
      callback: (bytesRead, { buffer, byteOffset }) => {
        this.#turnsWithoutOutput = 0;
        if (!this.#abandoned) this.#listener.output(Buffer.from(buffer, byteOffset, bytesRead));
        return true;
      },
    };
    // The types know `onread` for connections only; the constructor takes it for any descriptor.
    const options = { fd: readFd, readable: true, writable: false, onread };
    const socket = new Socket(options as SocketConstructorOpts);
    this.#socket = socket;
    // Whatever happens to a pipe that is read, 'close' follows.
    socket.on('error', () => {});
    socket.once('end', () => socket.destroy());
    socket.once('close', () => {
      this.ended = true;
      if (this.afterExit) this.#listener.outputEnded();
    });
    return writeFd;
  }

  closeOutput(): void {
    this.quiet().then(() => this.#socket?.destroy());
  }

  holdOutput(isHeld: boolean): void {
    if (isHeld && !this.afterExit) this.#socket?.pause();
    else this.#socket?.resume();
  }

  abandon(): void {
    this.#abandoned = true;
    this.#socket?.destroy();
  }

  /** Resolves when all that is in the pipe has been read: at its end, or when nothing comes. */
  async quiet(): Promise<void> {
    this.#turnsWithoutOutput = 0;
    this.holdOutput(false);
    for (let turns = 0; turns < turnsMax && !this.ended; turns += 1) {
      if (this.#turnsWithoutOutput > quietTurns) return;
      this.#turnsWithoutOutput += 1;
      await new Promise((resolve) => setTimeout(resolve, turnMs));
    }
  }
}

/** How many pipes are made at once, which takes some milliseconds: about as long as one spawn. */
const batch = 32;

/**
 * Makes pipes, which Node cannot (its 'pipe' is a socket, on which `echo > /dev/stderr` fails):
 * named pipes, made by the dozen with mkfifo(1), opened at both ends and unlinked.
 */
export class FifoStore {
  readonly #folder = fs.mkdtempSync(join(tmpdir(), 'statecron-'));
  #paths: string[] = [];

  /**
   * The two ends of a pipe; the reading end does not block.
   * @throws when the system is out of descriptors, or there is no mkfifo
   */
  open(): { readFd: number; writeFd: number } {
    if (this.#paths.length === 0) {
      // All of the batch before have been unlinked, so that their names are free.
      const paths = Array.from({ length: batch }, (_, index) => join(this.#folder, `${index}`));
      execFileSync('mkfifo', ['-m', '600', ...paths], { stdio: 'ignore' });
      this.#paths = paths;
    }
    const path = this.#paths.pop() as string;
    try {
      const readFd = fs.openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
      try {
        return { readFd, writeFd: fs.openSync(path, constants.O_WRONLY) };
      } catch (error) {
        fs.closeSync(readFd);
        throw error;
      }
    } finally {
      fs.unlinkSync(path);
    }
  }

  /**
   * A file without a name that holds a text, open for reading. (With a socket bash would take
   * itself for a remote login and read ~/.bashrc.) @throws e.g. when the disk is full
   */
  openFile(text: string): number {
    const path = join(this.#folder, 'input');
    try {
      fs.writeFileSync(path, text, { mode: 0o600 });
      return fs.openSync(path, constants.O_RDONLY);
    } finally {
      fs.rmSync(path, { force: true });
    }
  }

  close(): void {
    fs.rmSync(this.#folder, { recursive: true, force: true });
  }
}
