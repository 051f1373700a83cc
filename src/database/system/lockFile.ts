import { spawn } from 'node:child_process';
import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { OperatorError } from '../../domain/errors/errors.ts';

const RETRY_MS = 100;

/**
 * Locks a file for this process, until the handle is closed or the process ends, however. The lock
 * is the kernel's (flock(2)), so there is no stale lock to guess about. Node has no flock: the
 * `flock` program of util-linux locks the open file that it inherits from us, and as such a lock
 * belongs to the open file and not to a process, ours stays locked when that program has ended.
 *
 * The file must never be removed while it is used, or two processes would lock two files.
 *
 * @returns the open file, `held` when the lock was taken within `waitMs`.
 * @throws OperatorError `flock_missing` (exit 69).
 */
export async function lockFile(
  file: string,
  waitMs: number,
  signal?: AbortSignal,
): Promise<{ handle: FileHandle; held: boolean }> {
  const handle = await open(file, 'a+', 0o600);
  const until = performance.now() + waitMs;
  try {
    for (;;) {
      if (await tryLock(handle)) return { handle, held: true };
      if (performance.now() >= until) return { handle, held: false };
      await delay(RETRY_MS, undefined, signal === undefined ? {} : { signal });
    }
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function tryLock(handle: FileHandle): Promise<boolean> {
  const child = spawn('flock', ['-n', '3'], {
    stdio: ['ignore', 'ignore', 'ignore', handle.fd],
  });
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once('exit', resolve);
    child.once('error', (cause) => {
      reject(
        new OperatorError({
          code: 'flock_missing',
          message: 'The program `flock`, which keeps two starts apart, cannot be run.',
          hint: 'Install util-linux (or busybox), or give the URL of a database of your own.',
          exitCode: 69,
          cause,
        }),
      );
    });
  });
  return exitCode === 0;
}
