import type { CleaningStep, HistoryKeep } from '../../domain/commit/historyKeep.ts';
import type { Channel } from '../connection/channel.ts';
import { only, text } from '../rows/row.ts';
import { cleanRows } from './cleanRows.ts';

/** Outputs may have megabytes each. */
const outputsMax = 50;
const livesMax = 100;
/** Who follows requests again every few seconds. */
const requestedSecondsMax = 60;

/**
 * Deletes outputs that are older than outputs are kept, those of finishes that were refused among
 * them, and what followers have left behind that were killed.
 */
export async function cleanLeftovers(channel: Channel, keep: HistoryKeep): Promise<CleaningStep> {
  const ids = await channel.rows(only(text), selectOutputs, [keep.outputDays, outputsMax]);
  if (ids.length > 0) await channel.change(deleteOutputs, [ids]);
  const lives = await cleanRows(channel, [[deleteLives, requestedSecondsMax]], livesMax);
  return { isMore: lives.isMore || ids.length === outputsMax, rows: lives.rows + ids.length };
}

const selectOutputs = `/* cleanLeftovers outputs */ SELECT launch_id
  FROM run_output FORCE INDEX (run_output_by_age)
  WHERE written_at < NOW(3) - INTERVAL ? DAY ORDER BY written_at LIMIT ?`;
const deleteOutputs = '/* cleanLeftovers delete */ DELETE FROM run_output WHERE launch_id IN (?)';
const deleteLives = `/* cleanLeftovers live */ DELETE FROM run_live
  WHERE asked_at < NOW(3) - INTERVAL ? SECOND LIMIT ?`;
