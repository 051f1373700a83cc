import type { Horizon } from '../../domain/commit/nodeStore.ts';
import type { DueLook, HeldSlot } from '../../domain/run/heldSlot.ts';
import { limitedAheadMs, splitObserved, type Takeable } from '../../domain/targeting/takeable.ts';
import type { Channel } from '../connection/channel.ts';
import { each, flag, integer, nullable, rowOf, text } from '../rows/row.ts';
import { placeOfSlot } from '../slots/placeOfSlot.ts';
import type { ForeignJobs, RevisionCache } from '../slots/revisionCache.ts';
import { leaveFullOut, limitedTargets } from './groupLimits.ts';
import type { TargetingCache } from './targetingCache.ts';
import { type Versions, versionColumns, versionFields, versionsOf } from './versions.ts';

/**
 * An unlocked look whether there is anything to lock for, and on which stripes; nothing else that
 * it reads is used. Two branches: the own share to the far horizon, every slot to the near one.
 * Busy stripes, slots that are for other nodes, and jobs that this version leaves to others stay
 * out of it: they could fill the whole look, and hide all that is due behind them. One statement,
 * unless the nodes or the targeting are others than those that were known.
 */
export async function peekDue(
  channel: Channel,
  { fullAt, revisions, targeting }: LookCaches,
  sessionId: string,
  horizon: Horizon,
  slotsMax: number,
): Promise<DueLook> {
  const look = async (allowed: Takeable) => {
    const takeable = await leaveFullOut(channel, allowed, fullAt);
    return lookFor(channel, sessionId, horizon, slotsMax, revisions.foreign, takeable);
  };
  const known = targeting.lastTakeable ?? (await targeting.takeable(channel, sessionId));
  const { seen, versions } = await look(known);
  if (targeting.isKnown(versions)) return seen;
  return (await look(await targeting.takeableAt(channel, sessionId, versions))).seen;
}

/** What the node remembers from look to look. */
interface LookCaches {
  readonly revisions: RevisionCache;
  readonly targeting: TargetingCache;
  /** See `leaveFullOut`. */
  readonly fullAt: Map<string, number>;
}

/** One look, of what may be taken as far as is known; exported for who measures it. */
export async function lookFor(
  channel: Channel,
  sessionId: string,
  horizon: Horizon,
  slotsMax: number,
  foreign: ForeignJobs,
  takeable: Takeable,
): Promise<{ readonly seen: DueLook; readonly versions: Versions }> {
  const { busyStripes = [], share } = horizon;
  const find = (from: Takeable, most: number, aheadMs: number, aheadAnywhereMs: number) =>
    channel.rows(dueStripe, selectDueStripes, [
      sessionId,
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
  const [first] = found;
  if (first === undefined) throw new Error('peekDue: a look without its versions');
  const due = found.flatMap(({ stripe }) => stripe ?? []);
  const room = slotsMax - due.length;
  if (observed !== null && room > 0) {
    due.push(...(await find(observed, room, 0, 0)).flatMap(({ stripe }) => stripe ?? []));
  }
  const seen = { stripes: [...new Set(due)], slots: due.length };
  return { seen, versions: versionsOf(first) };
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

const dueStripe = rowOf({ ...versionFields, stripe: nullable(integer) });
/** The versions come with each row, and with one of their own when nothing is due. */
const selectDueStripes = `/* peekDue */ SELECT versions.*, due.stripe
  FROM (SELECT ${versionColumns}) versions LEFT JOIN (
    SELECT stripe FROM slot FORCE INDEX (slot_by_due)
    WHERE state = 'idle' AND node_name IN (?)
      AND IF(node_name = '', target_id IN (?), target_id IN (?))
      AND (target_id NOT IN (?) OR next_run_at <= NOW(3) + INTERVAL ? MICROSECOND)
      AND next_run_at <= NOW(3) + INTERVAL ? MICROSECOND
      AND (${placeOfSlot} >= ? AND ${placeOfSlot} < ?
        OR next_run_at <= NOW(3) + INTERVAL ? MICROSECOND)
      AND stripe NOT IN (?)
      AND (slot.job_id NOT IN (?) OR NOT EXISTS (SELECT 1 FROM job
        WHERE job.job_id = slot.job_id AND (job.job_id, job.revision) IN (?)))
    ORDER BY next_run_at LIMIT ?) due ON TRUE`;
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
