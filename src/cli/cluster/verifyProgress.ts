import type { VerifyProgress } from '../../store/verify/verifyJobs.ts';

interface Terminal {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/**
 * Shows on a terminal how far a verification is, twice a second: one line that is written over and
 * taken away at the end. Nothing is written to anything that is no terminal.
 */
export function makeVerifyProgress(terminal: Terminal, nowMs = () => performance.now()) {
  const startedMs = nowMs();
  let saidMs = startedMs;
  let isThere = false;
  return {
    show: ({ jobs, runs }: VerifyProgress): void => {
      const atMs = nowMs();
      if (terminal.isTTY !== true || atMs - saidMs < periodMs) return;
      saidMs = atMs;
      isThere = true;
      const seconds = Math.round((atMs - startedMs) / 1000);
      const far = `${jobs.toLocaleString('en-US')} jobs, ${runs.toLocaleString('en-US')} rows`;
      terminal.write(`\r\x1b[Kverified ${far}, ${seconds} s`);
    },
    end: (): void => {
      if (isThere) terminal.write('\r\x1b[K');
    },
  };
}

const periodMs = 500;
