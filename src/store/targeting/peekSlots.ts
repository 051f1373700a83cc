import type { Horizon } from '../../domain/commit/nodeStore.ts';
import type { DueLook, HeldSlot } from '../../domain/run/heldSlot.ts';
import { limitedAheadMs, splitObserved, type Takeable } from '../../domain/targeting/takeable.ts';
import type { Channel } from '../connection/channel.ts';
import { each, flag, integer, only, rowOf, text } from '../rows/row.ts';
import { placeOfSlot } from '../slots/placeOfSlot.ts';
import type { ForeignJobs } from '../slots/revisionCache.ts';
import { limitedTargets } from './groupLimits.ts';

/**
 * An unlocked look whether there is anything to lock for, and on which stripes; nothing else that
 * it reads is used. Two branches: the own share to the far horizon, every slot to the near one.
 * Busy stripes, slots that are for other nodes, and jobs that this version leaves to others stay
 * out of it: they could fill the whole look, and hide all that is due behind them.
 */
export async function peekDue(
  channel: Channel,
  horizon: Horizon,
  slotsMax: number,
  foreign: ForeignJobs,
  takeable: Takeable,
): Promise<DueLook> {
  const { busyStripes = [], share } = horizon;
  const find = (from: Takeable, most: number, aheadMs: number, aheadAnywhereMs: number) =>
    channel.rows(only(integer), selectDueStripes, [
      ['', horizon.nodeName],
      from.anywhere,
      from.pinned,
      limitedTargets(from),
      limitedAheadMs * 1000,
      aheadMs * 1000,
      share.from,
      share.until,
      aheadAnywhereMs * 1000,
      busyStripes.length === 0 ? [-1] : busyStripes,
      foreign.jobIds(),
      foreign.pairs(),
      most,
    ]);
  const { live, observed } = splitObserved(takeable);
  const found = await find(live, slotsMax, horizon.aheadMs, horizon.aheadAnywhereMs);
  const room = slotsMax - found.length;
  if (observed !== null && room > 0) found.push(...(await find(observed, room, 0, 0)));
  return { stripes: [...new Set(found)], slots: found.length };
}

/** What the own session holds, for the compensator to compare with what memory knows. */
export function listHeldSlots(channel: Channel, sessionId: string): Promise<HeldSlot[]> {
  return channel.rows(heldSlot, selectHeld, [sessionId]);
}

/** Prepared slots that ought to have started ten seconds ago, which another session holds. */
export function listOverdueSlots(
  channel: Channel,
  sessionId: string,
  slotsMax: number,
): Promise<HeldSlot[]> {
  return channel.rows(heldSlot, selectOverdue, [sessionId, slotsMax]);
}

const selectDueStripes = `/* peekDue */ SELECT stripe FROM slot FORCE INDEX (slot_by_due)
  WHERE state = 'idle' AND node_name IN (?)
    AND IF(node_name = '', target_id IN (?), target_id IN (?))
    AND (target_id NOT IN (?) OR next_run_at <= NOW(3) + INTERVAL ? MICROSECOND)
    AND next_run_at <= NOW(3) + INTERVAL ? MICROSECOND
    AND (${placeOfSlot} >= ? AND ${placeOfSlot} < ?
      OR next_run_at <= NOW(3) + INTERVAL ? MICROSECOND)
    AND stripe NOT IN (?)
    AND (slot.job_id NOT IN (?) OR NOT EXISTS (SELECT 1 FROM job
      WHERE job.job_id = slot.job_id AND (job.job_id, job.revision) IN (?)))
  ORDER BY next_run_at LIMIT ?`;
const heldSlot = rowOf({
  ...each(integer, 'slotId', 'stripe'),
  launchId: text,
  ...each(flag, 'stopRequested', 'isOverlapped', 'isBehind'),
});
const stopRequested = 'stop_requested_at IS NOT NULL AS stop_requested';
const selectHeld = `/* listHeldSlots */ SELECT slot_id, stripe, launch_id, ${stopRequested},
    IFNULL(state = 'executing' AND cursor_at <= NOW(3), 0) AS is_overlapped,
    IFNULL(cursor_at < started_at, 0) AS is_behind
  FROM slot FORCE INDEX (slot_by_session) WHERE session_id = ?`;
const selectOverdue = `/* listOverdueSlots */ SELECT slot_id, stripe, launch_id,
    ${stopRequested}, 0 AS is_overlapped, 0 AS is_behind
  FROM slot FORCE INDEX (slot_by_due)
  WHERE state = 'prepare' AND next_run_at < NOW(3) - INTERVAL 10 SECOND AND session_id <> ?
  ORDER BY next_run_at LIMIT ?`;
