import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Scope } from '../../support/createDatabase.ts';

/** One sign of life that a child of a launch, or a grandchild, wrote by the host's boot clock. */
export interface Tick {
  readonly launchId: string;
  readonly processId: number;
  readonly atMs: number;
  /** What it is going to end with, if it ends by itself. */
  readonly exitCode: number;
}

const tickMs = 50;

/** Commands that write down that they live, and what they have written so far. */
export interface TickingJobs {
  /** Ticks every 50 ms until it is killed. */
  readonly tickForEver: string;
  /** The same, and a grandchild in a session of its own as well. */
  readonly tickTwiceForEver: string;
  /** Ticks once, takes up to half a second, and ends with an exit code from 0 to 2. */
  readonly tickOnce: string;
  ticks(): Tick[];
}

/** The ledger is a file that every child appends to: what really ran, whoever says what of it. */
export function makeTickingJobs(scope: Scope): TickingJobs {
  const file = path.join(os.tmpdir(), `statecron-ticks-${randomUUID()}`);
  scope.after(async () => rmSync(file, { force: true }));
  // 7 is CLOCK_BOOTTIME. A line is one write with O_APPEND, so that lines never mix.
  const tick = `syswrite F, "$ENV{STATECRON_LAUNCH_ID} $$ " . clock_gettime(7) * 1000 . " 0\\n"`;
  const open = `use Time::HiRes qw(clock_gettime sleep); open F, ">>", "${file}" or die $!`;
  const forEver = `perl -e '${open}; while (1) { ${tick}; sleep ${tickMs / 1_000} }'`;
  return {
    tickForEver: `exec ${forEver}`,
    tickTwiceForEver: `setsid ${forEver} & exec ${forEver}`,
    tickOnce: [
      'code=$((RANDOM % 3)); read -r up rest </proc/uptime',
      `echo "$STATECRON_LAUNCH_ID $$ \${up/./}0 $code" >>${file}`,
      'sleep 0.$((RANDOM % 5)); exit $code',
    ].join('; '),
    ticks: () =>
      existsSync(file) ? readFileSync(file, 'latin1').split('\n').flatMap(readLine) : [],
  };
}

/**
 * How long children lived after an instant, at most, by their own count of ticks: while the machine
 * stands still they do, too, and nobody is there to kill them.
 */
export function livedAfterMs(ticks: readonly Tick[], fromMs: number): number {
  const counts = new Map<string, number>();
  for (const { launchId, processId, atMs } of ticks) {
    const child = `${launchId} ${processId}`;
    if (atMs >= fromMs) counts.set(child, (counts.get(child) ?? 0) + 1);
  }
  return tickMs * Math.max(0, ...counts.values());
}

function readLine(line: string): Tick[] {
  const [launchId, ...numbers] = line.split(' ');
  const [processId, atMs, exitCode] = numbers.map(Number);
  if (launchId === undefined || processId === undefined) return [];
  if (atMs === undefined || exitCode === undefined) return [];
  return [{ launchId, processId, atMs, exitCode }];
}
