import type { ClaimRequest } from '../../domain/commit/batch.ts';
import { limitedAheadMs, splitObserved, type Takeable } from '../../domain/targeting/takeable.ts';
import type { ChannelConnection } from '../connection/channel.ts';
import { placeOfSlot } from '../slots/placeOfSlot.ts';
import { type Due, dueSlot } from '../slots/readPasts.ts';
import { keepWithinLimits, leaveFullOut, limitedTargets } from '../targeting/groupLimits.ts';
import type { SlotContext } from './slotContext.ts';

/** What is due and understood; a job that is not stays as it is, for nodes of another version. */
export async function readDue(
  connection: ChannelConnection,
  { fullAt, nodeName, revisions, sessionId, targeting }: SlotContext,
  request: ClaimRequest,
  held: ReadonlySet<number>,
): Promise<Due[]> {
  const stripes = request.dueStripes.filter((stripe) => held.has(stripe));
  if (stripes.length === 0 || request.slotsMax <= 0) return [];
  const allowed = await targeting.takeable(connection, sessionId);
  const takeable = await leaveFullOut(connection, allowed, fullAt);
  const find = (from: Takeable, slotsMax: number, aheadMs: number, aheadAnywhereMs: number) =>
    connection.rows(dueSlot, selectDue, [
      stripes,
      ['', nodeName],
      from.anywhere,
      from.pinned,
      from.isBeside,
      limitedTargets(from),
      limitedAheadMs * 1000,
      aheadMs * 1000,
      request.share.from,
      request.share.until,
      aheadAnywhereMs * 1000,
      revisions.foreign.pairs(),
      slotsMax,
    ]);
  const { live, observed } = splitObserved(takeable);
  const found = await find(live, request.slotsMax, request.aheadMs, request.aheadAnywhereMs);
  const room = request.slotsMax - found.length;
  if (observed !== null && room > 0) found.push(...(await find(observed, room, 0, 0)));
  const slots = await keepWithinLimits(connection, takeable, found);
  const revisionOf = await revisions.load(connection, slots);
  return slots.flatMap((slot) => {
    const revision = revisionOf(slot);
    const { definition, whyNot } = revision;
    if (whyNot === null) return [{ slot, revision }];
    revisions.foreign.add(slot.jobId, slot.jobRevision, definition.name, whyNot);
    return [];
  });
}

/** Exported for the test that shows its EXPLAIN. */
export const selectDue = `/* claimSlots due */ SELECT STRAIGHT_JOIN slot.slot_id, slot.job_id,
    slot.stripe, slot.node_name, slot.slot_no, slot.target_id, slot.cursor_at AS 'cursor',
    slot.next_run_at AS next_run, slot.ended_at AS ended, slot.last_started_at AS last_started,
    job.revision AS job_revision, NOW(3) AS now
  FROM slot FORCE INDEX (slot_by_due) JOIN job ON job.job_id = slot.job_id
  WHERE slot.state = 'idle' AND slot.stripe IN (?) AND slot.node_name IN (?)
    AND IF(slot.node_name = '', slot.target_id IN (?), slot.target_id IN (?))
    AND (slot.node_name = '' OR job.every_node = 1 OR ?)
    AND (slot.target_id NOT IN (?) OR slot.next_run_at <= NOW(3) + INTERVAL ? MICROSECOND)
    AND slot.next_run_at <= NOW(3) + INTERVAL ? MICROSECOND
    AND (${placeOfSlot} >= ? AND ${placeOfSlot} < ?
      OR slot.next_run_at <= NOW(3) + INTERVAL ? MICROSECOND)
    AND (job.job_id, job.revision) NOT IN (?)
  ORDER BY slot.next_run_at LIMIT ?`;
