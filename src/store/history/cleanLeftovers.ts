import { type Taken, withinBytes } from '../../domain/commit/cleaningPace.ts';
import type { HistoryKeep } from '../../domain/commit/historyKeep.ts';
import type { Channel } from '../connection/channel.ts';
import { integer, rowOf, text } from '../rows/row.ts';
import { cleanRows } from './cleanRows.ts';
import { outputBytesMax, type Pacer } from './pacer.ts';

/** Of an output whose finish was refused, which no run tells: as much as a job keeps by default. */
const unknownBytes = 65_536;
const livesMax = 100;
/** Who follows requests again every few seconds. */
const requestedSecondsMax = 60;

/**
 * Deletes outputs that are older than outputs are kept, those of finishes that were refused among
 * them, and what followers have left behind that were killed.
 */
export async function cleanLeftovers(
  channel: Channel,
  keep: HistoryKeep,
  pacer: Pacer,
): Promise<Taken> {
  let rows = 0;
  let isMore: boolean;
  do {
    const taken = await pacer.take('outputs', (many) => cleanOutputs(channel, keep, many));
    rows += taken.rows;
    isMore = taken.isMore;
  } while (isMore && !pacer.isStepOver);
  const lives = await cleanRows(channel, [[deleteLives, requestedSecondsMax]], livesMax);
  return { isMore: isMore || lives.isMore, rows: rows + lives.rows };
}

async function cleanOutputs(channel: Channel, keep: HistoryKeep, many: number): Promise<Taken> {
  const old = [unknownBytes, Math.round(keep.outputDays * daySeconds), many];
  const oldest = await channel.rows(oldOutput, selectOutputs, old);
  const ids = withinBytes(oldest, outputBytesMax).map(({ launchId }) => launchId);
  if (ids.length > 0) await channel.change(deleteOutputs, [ids]);
  return { rows: ids.length, isMore: ids.length < oldest.length || ids.length === many };
}

const daySeconds = 24 * 3_600;
const oldOutput = rowOf({ launchId: text, bytes: integer });
/** By what the run has printed, since LENGTH reads an output from the first page to the last. */
const selectOutputs = `/* cleanLeftovers outputs */ SELECT run_output.launch_id,
    IFNULL(run.output_bytes, ?) AS bytes
  FROM run_output FORCE INDEX (run_output_by_age)
    LEFT JOIN run ON run.launch_id = run_output.launch_id
  WHERE written_at < NOW(3) - INTERVAL ? SECOND ORDER BY written_at LIMIT ?`;
const deleteOutputs = '/* cleanLeftovers delete */ DELETE FROM run_output WHERE launch_id IN (?)';
const deleteLives = `/* cleanLeftovers live */ DELETE FROM run_live
  WHERE asked_at < NOW(3) - INTERVAL ? SECOND LIMIT ?`;
