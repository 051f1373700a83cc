import { committed, type Outcome, refused, unknown } from '../../domain/errors/outcome.ts';
import type { Channel } from '../connection/channel.ts';

/**
 * One heartbeat: writes the own row by primary key and waits for nobody. `beats` may lie anywhere
 * from the last acknowledged number to the one before the new, since the outcome of those between
 * is not known. No row: fenced (reaped, or the database was restored from the past), so refused.
 */
export async function renewSession(
  channel: Channel,
  sessionId: string,
  ackedBeats: number,
  beats: number,
): Promise<Outcome<null>> {
  try {
    const affected = await channel.change(renew, [beats, sessionId, ackedBeats, beats - 1]);
    if (affected > 1) throw new Error('renewSession changed more than one row');
    return affected === 1 ? committed(null) : refused('the session is not live any more');
  } catch (error) {
    return unknown(error as Error);
  }
}

const renew = `/* renewSession */ UPDATE session SET beats = ?, renewed_at = NOW(3)
  WHERE session_id = ? AND state = 'live' AND beats BETWEEN ? AND ?`;
