import type { RunResult } from '../../domain/run/run.ts';

/** Results as a strip, a character each, the oldest first. */
export function resultStrip(newestFirst: readonly { readonly result: RunResult }[]): string {
  const signs = newestFirst.map(({ result }) => resultSigns[result] ?? '?');
  return signs.length === 0 ? '-' : signs.reverse().join('');
}

/** What the characters mean. */
export function stripLegend(): string {
  const parts = Object.entries(resultSigns).map(([result, sign]) => `${sign} ${result}`);
  return `RECENT has the last runs, the latest at the right: ${parts.join(', ')}.`;
}

/** A shape of its own for each, since colours do not reach everybody. */
const resultSigns: Readonly<Record<RunResult, string>> = {
  succeeded: '+',
  failed: 'F',
  timed_out: 'T',
  stopped: 'S',
  lost: 'L',
  not_started: 'N',
  skipped: '-',
  missed: 'M',
};
