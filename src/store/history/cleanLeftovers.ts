import type { Taken } from '../../domain/commit/cleaningPace.ts';
import type { Channel } from '../connection/channel.ts';
import { cleanRows } from './cleanRows.ts';

const livesMax = 100;
/** Who follows requests again every few seconds. */
const requestedSecondsMax = 60;

/** Deletes what followers have left behind that were killed. */
export function cleanLeftovers(channel: Channel): Promise<Taken> {
  return cleanRows(channel, [[deleteLives, requestedSecondsMax]], livesMax);
}

const deleteLives = `/* cleanLeftovers live */ DELETE FROM run_live
  WHERE asked_at < NOW(3) - INTERVAL ? SECOND LIMIT ?`;
