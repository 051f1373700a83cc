import { writeSync } from 'node:fs';

/** A unix socket takes a message of up to a page in one piece, so lines of threads never mix. */
const pieceBytesMax = 4096;
const patienceMs = 2_000;

/**
 * Writes whole lines to the guardian, at once and synchronously, from any thread. That the guardian
 * is gone is told elsewhere (`guardianLink.ts`), so that is silent here; a guardian that reads
 * nothing for seconds is an error.
 */
export function writeGuardianLines(fd: number, lines: string[]): void {
  let piece = '';
  for (const line of lines) {
    if (piece.length + line.length + 1 > pieceBytesMax) {
      writePiece(fd, piece);
      piece = '';
    }
    piece += `${line}\n`;
  }
  if (piece !== '') writePiece(fd, piece);
}

function writePiece(fd: number, piece: string): void {
  const began = performance.now();
  for (;;) {
    try {
      writeSync(fd, piece);
      return;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EPIPE' || code === 'ECONNRESET') return;
      if (code !== 'EAGAIN' || performance.now() - began > patienceMs) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}
