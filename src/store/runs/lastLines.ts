import { stripVTControlCharacters } from 'node:util';
import { isFailure } from '../../domain/run/run.ts';
import type { Channel } from '../connection/channel.ts';
import { bytes, rowOf, text } from '../rows/row.ts';
import type { RunShown } from './runRow.ts';

/** Outputs are read for so many runs: the database reads the whole of each. */
const runsMax = 50;
const bytesMax = 1_000;
const charactersMax = 200;

/**
 * By their launches, the last line of what is kept of the outputs of those of the runs that failed,
 * as far as they wrote one; of a list with many failures only of the first.
 */
export async function readLastLines(
  channel: Channel,
  runs: readonly Pick<RunShown, 'launchId' | 'outputBytes' | 'result'>[],
): Promise<ReadonlyMap<string, string>> {
  const failed = runs.filter(
    ({ outputBytes, result }) => result !== null && isFailure(result) && outputBytes > 0,
  );
  const launchIds = failed.slice(0, runsMax).flatMap(({ launchId }) => launchId ?? []);
  if (launchIds.length === 0) return new Map();
  const rows = await channel.rows(endOfOutput, selectEnds, [bytesMax, launchIds]);
  return new Map(rows.map(({ launchId, output }) => [launchId, lastLine(output)]));
}

function lastLine(output: Uint8Array): string {
  const lines = stripVTControlCharacters(Buffer.from(output).toString('utf8'))
    .split(/[\r\n]+/)
    .map((line) => line.trim());
  const last = lines.findLast((line) => line !== '') ?? '';
  return last.length > charactersMax ? `${last.slice(0, charactersMax)}…` : last;
}

const endOfOutput = rowOf({ launchId: text, output: bytes });
const selectEnds = `/* readLastLines */ SELECT launch_id, RIGHT(output, ?) AS output
  FROM run_output WHERE launch_id IN (?)`;
