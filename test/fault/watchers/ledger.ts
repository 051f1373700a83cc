import { readFileSync, writeFileSync } from 'node:fs';
import {
  killChecked,
  type ProcessEntry,
  readProcess,
} from '../../../src/exec/process/processTree.ts';

/** What the processes of `tree.sh` have written of themselves. */
export interface Ledger {
  readonly path: string;
  /** The launches in the order in which they began. */
  launches(): string[];
  /** Those of a launch that live; of all launches when none is named. */
  living(launchId?: string): LivingProcess[];
  /** Launches that began while a process of another one lived. */
  overlaps(): Overlap[];
}

export interface LivingProcess {
  readonly kind: string;
  readonly launchId: string;
  readonly entry: ProcessEntry;
}

export interface Overlap {
  /** By the wall clock. */
  readonly atMs: number;
  readonly text: string;
}

export function openLedger(path: string): Ledger {
  writeFileSync(path, '');
  const linesOf = (word: string) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => line.split(' '))
      .filter(([first]) => first === word);
  return {
    path,
    launches: () => [...new Set(linesOf('process').map((line) => line.at(-1) ?? ''))],
    living: (launchId) =>
      linesOf('process').flatMap(([, kind = '', pid, ticks, owner = '']) => {
        const entry = readProcess(Number(pid));
        const isIt = entry !== null && entry.startTicks === Number(ticks);
        return isIt && owner === (launchId ?? owner) ? [{ kind, launchId: owner, entry }] : [];
      }),
    overlaps: () =>
      linesOf('overlap').map(([, seconds, mine, kind, pid, theirs]) => ({
        atMs: Number(seconds) * 1_000,
        text: `${mine} began while ${kind} ${pid} of ${theirs} lived`,
      })),
  };
}

/** Ends what is left, so that nothing outlives its test. */
export function endLiving(ledger: Ledger): void {
  for (const { entry } of ledger.living()) killChecked(entry, 'SIGKILL');
}
