import type { Command } from 'commander';
import { usageFault } from '../output/reportFault.ts';
import { readDurationMs } from './readOptions.ts';

/** Whether and how the end of a run that a command requests is waited for. */
export interface WaitOptions {
  readonly json?: boolean;
  readonly wait?: boolean;
  readonly raw?: boolean;
  readonly waitTimeout?: number;
}

export function addWaitOptions(command: Command): Command {
  return command
    .option(
      '--wait',
      "wait for the end, print the last attempt's output, and end with its exit code",
    )
    .option('--raw', 'with --wait: its escape sequences on a terminal, too, not colours alone')
    .option('--wait-timeout <duration>', 'with --wait: give up after this long', readDurationMs);
}

/** What is said to who gives `--wait` a duration; null: `word` is none. */
export function hintOfWait({ options }: Command, word: string): string | null {
  const isBound = options.some(({ long }) => long === '--wait-timeout') && /^\d+[smhd]/.test(word);
  return isBound ? `--wait has no value: --wait-timeout ${word} gives up after it. ` : null;
}

/** @throws OperatorError (2) for a bound of a wait that is not wanted. */
export function requireWait({ wait, waitTimeout }: WaitOptions): void {
  if (waitTimeout === undefined || wait === true) return;
  throw usageFault('--wait-timeout: needs --wait; without it nothing is waited for.');
}
