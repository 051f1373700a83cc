import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import type { FleetReport } from './fleetReport.ts';
import type { FleetOptions } from './readFleetOptions.ts';

/** Called when a seed has come to its end. */
export type OnSeed = (reports: readonly FleetReport[]) => void;

const reportBytesMax = 2 ** 24;

/**
 * Simulates a fleet once for each seed, in a process of its own: a thousand nodes take gigabytes,
 * which the next seed is not to inherit. Resolves to their reports, in the order of the seeds.
 * @param args of the command line, which name the fleet
 */
export async function runFleetSeeds(
  args: readonly string[],
  { seed, seeds }: Pick<FleetOptions, 'seed' | 'seeds'>,
  onSeed: OnSeed = () => undefined,
): Promise<FleetReport[]> {
  const reports: FleetReport[] = [];
  let next = seed;
  const workers = Array.from({ length: Math.min(seeds, availableParallelism()) }, async () => {
    while (next < seed + seeds) {
      const own = next;
      next += 1;
      reports.push(await runSeed(args, own));
      onSeed(reports);
    }
  });
  await Promise.all(workers);
  return reports.sort((one, other) => one.seed - other.seed);
}

async function runSeed(args: readonly string[], seed: number): Promise<FleetReport> {
  const [program = ''] = process.argv.slice(1);
  const own = ['--seed', String(seed), '--seeds', '1', '--json'];
  const command = [...process.execArgv, program, ...args, ...own];
  // 1: a promise was broken, which its report tells.
  const { stdout } = await promisify(execFile)(process.execPath, command, {
    maxBuffer: reportBytesMax,
  }).catch((error: { readonly code?: unknown; readonly stdout: string }) => {
    if (error.code !== 1 || !error.stdout.startsWith('{')) throw error;
    return error;
  });
  return JSON.parse(stdout) as FleetReport;
}
