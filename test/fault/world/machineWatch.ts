import { spawn } from 'node:child_process';

const periodMs = 500;

/** How slow the machine is, by a process that does nothing, run every half second. */
export interface MachineWatch {
  /** How long it took from its start to its end, at worst (ms). */
  slowestMs(): number;
  stop(): void;
}

export function watchMachine(): MachineWatch {
  let slowestMs = 0;
  let startedMs: number | null = null;
  const note = () => {
    if (startedMs !== null) slowestMs = Math.max(slowestMs, performance.now() - startedMs);
  };
  const timer = setInterval(() => {
    note();
    if (startedMs !== null) return;
    startedMs = performance.now();
    const child = spawn('true', { stdio: 'ignore' });
    for (const end of ['exit', 'error'] as const) {
      child.once(end, () => {
        note();
        startedMs = null;
      });
    }
  }, periodMs);
  return { slowestMs: () => slowestMs, stop: () => clearInterval(timer) };
}
