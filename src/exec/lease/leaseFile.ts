import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Until when the node may act, for its workers and their launchers: an instant of the boot clock in
 * a file without a name. A message could wait behind a process that is frozen.
 */
export interface LeaseFile {
  /** For `PoolOptions.leaseFd`. */
  readonly fd: number;
  /** At once; readers see it at their next look. */
  write(deadlineBootMs: number): void;
  close(): void;
}

/** Makes the file, with no lease in it; in memory where that can be had, as disks may hang. */
export function openLeaseFile(): LeaseFile {
  const folder = makeFolder();
  const fd = openSync(join(folder, 'lease'), 'wx+', 0o600);
  rmSync(folder, { recursive: true });
  const write = (deadlineBootMs: number): void => {
    writeSync(fd, Float64Array.of(deadlineBootMs, deadlineBootMs), 0, 16, 0);
  };
  // Room for it is taken here, so that no later write lacks it.
  write(0);
  return { fd, write, close: () => closeSync(fd) };
}

/**
 * The end of the lease, milliseconds of the boot clock; 0: none yet. It is there twice, so that a
 * reader notices a write that is half done.
 */
export function readLease(fd: number): number {
  const twice = new Float64Array(2);
  for (let tries = 0; tries < triesMax; tries += 1) {
    readSync(fd, twice, 0, 16, 0);
    if (twice[0] === twice[1]) return twice[0] ?? 0;
  }
  return 0; // that is no lease
}

/** A description of its own, so that its reader's position is nobody else's. */
export function openAgain(fd: number): number {
  return openSync(`/proc/self/fd/${fd}`, 'r');
}

const triesMax = 100;

function makeFolder(): string {
  try {
    return mkdtempSync('/dev/shm/statecron-');
  } catch {
    return mkdtempSync(join(tmpdir(), 'statecron-')); // no such place, or not for this user
  }
}
