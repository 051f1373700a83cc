import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';

export interface VerifyReport {
  readonly ok: boolean;
  readonly runs: number;
  readonly ticks: number;
  readonly findings: readonly { readonly message: string }[];
}

export interface Verified {
  readonly report: VerifyReport;
  readonly tookMs: number;
  readonly peakRssMb: number;
}

/** What a bench says of a database that should be clean; empty: it is. */
export function verifyComplaints({ findings, ok }: VerifyReport): string[] {
  if (ok) return [];
  return [`verify found fault with it: ${findings.map(({ message }) => message).join('; ')}`];
}

/** Runs the built `statecron verify` on a database, and watches what memory it takes. */
export async function runVerify(url: string, args: readonly string[] = []): Promise<Verified> {
  const program = path.resolve(import.meta.dirname, '../../dist/src/cli/main.js');
  const env = { ...process.env, STATECRON_DATABASE_URL: url };
  const startedMs = performance.now();
  const child = spawn(process.execPath, [program, 'verify', '--json', ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let peakRssMb = 0;
  const looking = setInterval(() => {
    peakRssMb = Math.max(peakRssMb, peakOf(child.pid));
  }, 50);
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(child, 'close');
  clearInterval(looking);
  const report = JSON.parse(Buffer.concat(chunks).toString()) as VerifyReport;
  return { report, tookMs: performance.now() - startedMs, peakRssMb };
}

/** The most that it ever had resident, as the kernel keeps it. */
function peakOf(pid: number | undefined): number {
  try {
    const match = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return match === null ? 0 : Math.round(Number(match[1]) / 1_000);
  } catch {
    return 0; // it has just ended
  }
}
