import type { RunShown } from '../../store/runs/runRow.ts';
import type { Answer } from '../contract/apiContract.ts';
import type { RunView } from '../contract/runContract.ts';
import { isoOf, isoOrNull } from './isoOf.ts';

/** A run as the API and `--json` show it. */
export function runView(run: RunShown): RunView {
  const { scheduledForMs, scheduledUntilMs, startedMs, endedMs, isFinal, ...same } = run;
  return {
    ...same,
    scheduledFor: isoOf(scheduledForMs),
    scheduledUntil: isoOrNull(scheduledUntilMs),
    startedAt: isoOrNull(startedMs),
    endedAt: isoOrNull(endedMs),
    isFinal: same.result !== null && isFinal,
  };
}

/** What a run wrote, as far as it is kept. */
export function logView(
  { launchId, outputBytes }: Pick<RunView, 'launchId' | 'outputBytes'>,
  output: Uint8Array | null,
): Answer<'GET /runs/{run}/log'> {
  const bytes = Buffer.from(output ?? []);
  const texts = { text: bytes.toString('utf8'), base64: bytes.toString('base64') };
  return { launchId, outputBytes, keptBytes: bytes.length, ...texts };
}
