import { readFileSync } from 'node:fs';

/**
 * The fields of /proc/PID/stat from the third on: the name before them may hold anything. `self`:
 * this process; `self/task/ID`: a thread of it.
 */
export function readStat(pid: number | string): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null; // It has ended; that is an answer.
  }
}

/** When a process, or a zombie, was started; 0: there is no process of that number. */
export function readStartTicks(pid: number): number {
  return Number(readStat(pid)?.[19] ?? 0);
}
