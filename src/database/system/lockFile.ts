import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { OperatorError } from '../../domain/errors/errors.ts';

const retryMs = 100;

/**
 * Locks a file for this process, until the handle is closed or the process ends, however: by the
 * kernel (flock(2)), so that no lock is ever stale. Node has no flock: the `flock` program locks
 * the open file that it inherits, which stays locked when that program has ended. The file must
 * never be removed while it is used, or two processes would lock two files.
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
      await delay(retryMs, undefined, signal === undefined ? {} : { signal });
    }
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function tryLock(handle: FileHandle): Promise<boolean> {
  const child = spawn('flock', ['-n', '3'], { stdio: ['ignore', 'ignore', 'ignore', handle.fd] });
  try {
    const [exitCode] = await once(child, 'exit');
    return exitCode === 0;
  } catch (cause) {
    throw new OperatorError({
      code: 'flock_missing',
      message: 'The program `flock`, which keeps two starts apart, cannot be run.',
      hint: 'Install util-linux (or busybox), or give the URL of a database of your own.',
      exitCode: 69,
      cause,
    });
  }
}
