import { execFile } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const batch = 32;

/** The two ends of a real pipe. The reading end does not block. */
export interface PipeEnds {
  readFd: number;
  writeFd: number;
}

/**
 * Makes pipes, which Node cannot: its 'pipe' is a socket, and `echo > /dev/stderr` fails on one.
 * Named pipes are made by the dozen with mkfifo(1), opened at both ends and unlinked.
 */
export class FifoStore {
  readonly #folder = mkdtempSync(join(tmpdir(), 'statecron-'));
  #paths: string[] = [];
  #made = 0;
  #refill: Promise<void> | null = null;

  async open(): Promise<PipeEnds> {
    while (this.#paths.length === 0) {
      this.#refill ??= this.#make().finally(() => {
        this.#refill = null;
      });
      await this.#refill;
    }
    const path = this.#paths.pop() as string;
    try {
      const readFd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
      try {
        return { readFd, writeFd: openSync(path, constants.O_WRONLY) };
      } catch (error) {
        closeSync(readFd);
        throw error;
      }
    } finally {
      unlinkSync(path);
    }
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #make(): Promise<void> {
    const paths = Array.from({ length: batch }, () => join(this.#folder, String(this.#made++)));
    await run('mkfifo', ['-m', '600', ...paths]);
    this.#paths = paths;
  }
}
