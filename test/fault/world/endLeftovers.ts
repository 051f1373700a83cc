import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  killChecked,
  type ProcessEntry,
  scanProcesses,
} from '../../../src/exec/process/processTree.ts';

const patienceMs = 10_000;

/**
 * Everything alive that belongs to a run: guardians, nodes and jobs have its folder in their
 * environment (a job's HOME is its node's); daemons that have shed theirs name it on their command
 * line.
 */
export function processesOf(folder: string): ProcessEntry[] {
  return scanProcesses().entries.filter(
    ({ pid }) => pid !== process.pid && namesFolder(pid, folder),
  );
}

/** Kills by pid what is left of a run; resolves to how many processes there were. */
export async function endLeftovers(folder: string): Promise<number> {
  const killed = new Set<number>();
  const began = performance.now();
  for (;;) {
    const left = processesOf(folder);
    if (left.length === 0) return killed.size;
    if (performance.now() - began > patienceMs) {
      throw new Error(`these processes do not end: ${left.map(({ pid }) => pid).join(' ')}`);
    }
    for (const entry of left) if (killChecked(entry, 'SIGKILL')) killed.add(entry.pid);
    await sleep(10);
  }
}

function namesFolder(pid: number, folder: string): boolean {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, 'latin1');
    if (environment.includes(`HOME=${folder}/`)) return true;
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(`\0${folder}/ledger\0`);
  } catch {
    return false; // it has just ended
  }
}

/**
 * A shell that reads from us and ends the run's processes at the end of file, so that they are gone
 * even when this process is killed with SIGKILL.
 */
export function endWithUs(folder: string): { dismiss(): Promise<void> } {
  const child: ChildProcess = spawn('sh', ['-c', endScript, 'sh', folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
  });
  child.unref();
  return {
    async dismiss() {
      const ended = once(child, 'exit');
      child.ref();
      child.stdin?.end('dismissed\n');
      await ended;
    },
  };
}

/** Three rounds: what is killed first may just have started another. */
const endScript = `read -r line && exit
for round in 1 2 3; do
  for process in /proc/[0-9]*; do
    { tr '\\0' '\\n' <"$process/environ" | grep -q "^HOME=$1/" ||
      tr '\\0' '\\n' <"$process/cmdline" | grep -qxF "$1/ledger"; } 2>/dev/null &&
      kill -9 "\${process#/proc/}"
  done
  sleep 0.2
done
for mounted in "$1"/*/*/spool; do umount -l "$mounted"; done`;
