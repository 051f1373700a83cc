import type { Horizon } from '../../domain/commit/nodeStore.ts';
import type { DueLook, HeldSlot } from '../../domain/run/heldSlot.ts';
import { limitedAheadMs, splitObserved, type Takeable } from '../../domain/targeting/takeable.ts';
import type { Channel } from '../connection/channel.ts';
import { each, flag, instantMs, integer, nullable, rowOf, text } from '../rows/row.ts';
import type { ForeignJobs, RevisionCache } from '../slots/revisionCache.ts';
import { earliestOf, selectDue } from './dueParts.ts';
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
  const { busyStripes = [] } = horizon;
  const find = async (from: Takeable, most: number, aheadMs: number, aheadAnywhereMs: number) => {
    const also = [
      ['', horizon.nodeName],
      from.anywhere,
      from.pinned,
      limitedTargets(from),
      limitedAheadMs * 1000,
      busyStripes.length === 0 ? [-1] : busyStripes,
      foreign.jobIds(),
      foreign.pairs(),
    ];
    const reach = { share: horizon.share, aheadMs, aheadAnywhereMs };
    const due = selectDue(reach, dueStripes, { sql: isTakeable, parameters: also }, most);
    const parameters = [sessionId, ...due.parameters];
    const [first, ...found] = await channel.rows(lookRow, withVersions(due.sql), parameters);
    if (first === undefined) throw new Error('peekDue: a look without its versions');
    return { first, stripes: earliestOf(found, most).map(({ stripe }) => stripe ?? 0) };
  };
  const { live, observed } = splitObserved(takeable);
  const { first, stripes } = await find(live, slotsMax, horizon.aheadMs, horizon.aheadAnywhereMs);
  const room = slotsMax - stripes.length;
  if (observed !== null && room > 0) stripes.push(...(await find(observed, room, 0, 0)).stripes);
  const seen = { stripes: [...new Set(stripes)], slots: stripes.length };
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

const lookRow = rowOf({
  ...versionFields,
  stripe: nullable(integer),
  nextRunMs: nullable(instantMs),
});
/** The first row has the versions, each other one a slot that is due. */
const withVersions = (due: string): string =>
  `/* peekDue */ SELECT ${versionColumns}, NULL AS stripe, NULL AS next_run UNION ALL ${due}`;
const dueStripes = (index: string): string =>
  `NULL, NULL, NULL, slot.stripe, slot.next_run_at FROM slot FORCE INDEX (${index})`;
const isTakeable = `slot.node_name IN (?)
      AND IF(slot.node_name = '', slot.target_id IN (?), slot.target_id IN (?))
      AND (slot.target_id NOT IN (?) OR slot.next_run_at <= NOW(3) + INTERVAL ? MICROSECOND)
      AND slot.stripe NOT IN (?)
      AND (slot.job_id NOT IN (?) OR NOT EXISTS (SELECT 1 FROM job
        WHERE job.job_id = slot.job_id AND (job.job_id, job.revision) IN (?)))`;
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
