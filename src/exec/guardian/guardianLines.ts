import { writeSync } from 'node:fs';

const patienceMs = 2_000;

/**
 * Writes a line to the guardian, at once and synchronously, from any thread: a unix socket takes it
 * in one piece, so lines of threads never mix. A guardian that is gone is reported by its link; one
 * that reads nothing for seconds is an error.
 */
export function writeGuardianLine(fd: number, line: string): void {
  const began = performance.now();
  for (;;) {
    try {
      writeSync(fd, `${line}\n`);
      return;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EPIPE' || code === 'ECONNRESET') return;
      if (code !== 'EAGAIN' || performance.now() - began > patienceMs) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}
