import { type Taken, withinBytes } from '../../domain/commit/cleaningPace.ts';
import type { Channel } from '../connection/channel.ts';
import { integer, rowOf, text } from '../rows/row.ts';
import { outputBytesMax, type Pacer } from './pacer.ts';

/** Of an output whose finish was refused, which no run tells: as much as a job keeps by default. */
const unknownBytes = 65_536;

/**
 * Deletes outputs that are older than outputs are kept, those of finishes that were refused among
 * them, as many as there is time for in this step. They go in order of age, which is nearly that of
 * their pages, each of which has outputs of several jobs: of 200 jobs with outputs of 4 kB, more
 * than the server's memory, 3,200 runs a second went so, and 2,400 job by job.
 */
export function cleanOutputs(channel: Channel, before: Date, pacer: Pacer): Promise<Taken> {
  return pacer.takeUntilOver('outputs', (many) => takeOldest(channel, before, many));
}

async function takeOldest(channel: Channel, before: Date, many: number): Promise<Taken> {
  const oldest = await channel.rows(oldOutput, selectOutputs, [unknownBytes, before, many]);
  const ids = withinBytes(oldest, outputBytesMax).map(({ launchId }) => launchId);
  if (ids.length > 0) await channel.change(deleteOutputs, [ids]);
  return { rows: ids.length, isMore: ids.length < oldest.length || ids.length === many };
}

const oldOutput = rowOf({ launchId: text, bytes: integer });
/** By what the run has printed, since LENGTH reads an output from the first page to the last. */
const selectOutputs = `/* cleanOutputs read */ SELECT run_output.launch_id,
    IFNULL(run.output_bytes, ?) AS bytes
  FROM run_output FORCE INDEX (run_output_by_age)
    LEFT JOIN run ON run.launch_id = run_output.launch_id
  WHERE written_at < ? ORDER BY written_at LIMIT ?`;
const deleteOutputs = '/* cleanOutputs */ DELETE FROM run_output WHERE launch_id IN (?)';
