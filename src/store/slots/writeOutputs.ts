import type { RunOutput } from '../../domain/commit/nodeStore.ts';
import type { Channel } from '../connection/channel.ts';
import { asBase64, type Parameter } from '../connection/queryable.ts';

/** How much goes into one statement, unless one output alone is more. */
const bytesMax = 1024 * 1024;

/**
 * Writes outputs before the finish that records their runs, so that slot transactions stay small.
 * Writing one again changes nothing; one whose finish is then refused is an orphan that the
 * history's cleaning finds by its age. Throws what the driver throws.
 */
export async function writeOutputs(channel: Channel, outputs: readonly RunOutput[]): Promise<void> {
  let group: RunOutput[] = [];
  let groupBytes = 0;
  const flush = async (): Promise<void> => {
    if (group.length === 0) return;
    const rows = group.map(() => '(?, ?, NOW(3))').join(', ');
    const parameters = group.flatMap(({ launchId, output }): Parameter[] => [
      launchId,
      asBase64(output),
    ]);
    await channel.change(`${insertOutput} ${rows}`, parameters);
    group = [];
    groupBytes = 0;
  };
  for (const each of outputs) {
    if (each.output.byteLength === 0) continue;
    if (groupBytes + each.output.byteLength > bytesMax) await flush();
    group.push(each);
    groupBytes += each.output.byteLength;
  }
  await flush();
}

const insertOutput = `/* writeOutputs */ INSERT IGNORE INTO run_output
    (launch_id, output, written_at)
  VALUES`;
