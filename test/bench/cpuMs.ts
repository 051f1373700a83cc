import { readFileSync } from 'node:fs';

const ticksPerSecond = 100;

/** User and system time of a process so far, from fields 14 and 15 of its stat, in milliseconds. */
export function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1_000;
}
