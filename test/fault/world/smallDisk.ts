import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Whether this user may mount a small disk of its own. */
export async function canMount(folder: string): Promise<boolean> {
  if (process.getuid?.() !== 0) return false;
  try {
    await mountSmall(folder);
    await unmount(folder);
    return true;
  } catch {
    return false; // root of a container without the right to mount
  }
}

/** A disk of 1 MiB in memory, which is full soon. */
export async function mountSmall(folder: string): Promise<void> {
  await run('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=700', 'tmpfs', folder]);
}

export async function unmount(folder: string): Promise<void> {
  await run('umount', ['-l', folder]);
}
