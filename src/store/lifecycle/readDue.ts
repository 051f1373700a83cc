import type { ClaimRequest } from '../../domain/commit/batch.ts';
import { limitedAheadMs, splitObserved, type Takeable } from '../../domain/targeting/takeable.ts';
import type { ChannelConnection } from '../connection/channel.ts';
import type { Parameter } from '../connection/queryable.ts';
import { type Due, type DueSlot, dueSlot } from '../slots/readPasts.ts';
import { type DueHorizon, earliestOf, type Query, selectDue } from '../targeting/dueParts.ts';
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
  const find = async (
    from: Takeable,
    slotsMax: number,
    aheadMs: number,
    aheadAnywhereMs: number,
  ): Promise<DueSlot[]> => {
    const also = [
      stripes,
      ['', nodeName],
      from.anywhere,
      from.pinned,
      from.isBeside,
      limitedTargets(from),
      limitedAheadMs * 1000,
      revisions.foreign.pairs(),
    ];
    const reach = { share: request.share, aheadMs, aheadAnywhereMs };
    const { sql, parameters } = dueQuery(reach, also, slotsMax);
    return earliestOf(await connection.rows(dueSlot, sql, parameters), slotsMax);
  };
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

/**
 * What of the idle slots may be claimed, the earliest first; for the test that shows its EXPLAIN.
 * @param also the parameters of `isTakeable`
 */
export function dueQuery(horizon: DueHorizon, also: Parameter[], slotsMax: number): Query {
  const { sql, parameters } = selectDue(
    horizon,
    dueSlots,
    { sql: isTakeable, parameters: also },
    slotsMax,
  );
  return { sql: `/* claimSlots due */ ${sql}`, parameters };
}

const dueSlots = (index: string): string => `STRAIGHT_JOIN slot.slot_id, slot.job_id,
    slot.stripe, slot.node_name, slot.slot_no, slot.target_id, slot.cursor_at AS 'cursor',
    slot.next_run_at AS next_run, slot.ended_at AS ended, slot.last_started_at AS last_started,
    job.revision AS job_revision, NOW(3) AS now
  FROM slot FORCE INDEX (${index}) JOIN job FORCE INDEX (PRIMARY)
    ON job.job_id = slot.job_id`;
const isTakeable = `slot.stripe IN (?) AND slot.node_name IN (?)
    AND IF(slot.node_name = '', slot.target_id IN (?), slot.target_id IN (?))
    AND (slot.node_name = '' OR job.every_node = 1 OR ?)
    AND (slot.target_id NOT IN (?) OR slot.next_run_at <= NOW(3) + INTERVAL ? MICROSECOND)
    AND (job.job_id, job.revision) NOT IN (?)`;
