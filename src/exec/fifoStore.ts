import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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
  readonly #batch: number;
  #paths: string[] = [];
  #made = 0;

  /** @param batch how many are made at once; that takes some milliseconds */
  constructor(batch: number) {
    this.#batch = batch;
  }

  /** @throws when the system is out of descriptors, or there is no mkfifo */
  open(): PipeEnds {
    if (this.#paths.length === 0) this.#paths = this.#make();
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

  #make(): string[] {
    const paths = Array.from({ length: this.#batch }, () => {
      this.#made += 1;
      return join(this.#folder, String(this.#made));
    });
    execFileSync('mkfifo', ['-m', '600', ...paths], { stdio: 'ignore' });
    return paths;
  }
}
