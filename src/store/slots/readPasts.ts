import type { PendingLaunch } from '../../domain/policies/claimDecision.ts';
import { busyTimes, type SlotsPast } from '../../domain/policies/slotsPast.ts';
import type { Trigger } from '../../domain/run/run.ts';
import type { ChannelConnection } from '../connection/channel.ts';
import type { Parameter } from '../connection/queryable.ts';
import { each, flag, instantMs, integer, nullable, rowOf, text, wordOf } from '../rows/row.ts';
import { notForAnotherNode } from './requestDetails.ts';
import type { Revision } from './revisionCache.ts';

/** A pending launch that a claim may take. */
export interface PendingRow extends PendingLaunch {
  readonly pendingId: number;
  readonly requestId: string;
}

/** By `pastKey`, the past of every slot that is due, read under its stripe. */
export async function readPasts(
  connection: ChannelConnection,
  due: readonly Due[],
  nodeName: string,
): Promise<Map<string, SlotsPast<PendingRow>>> {
  const pendingByKey = await readPending(connection, due, nodeName);
  const waitingByKey = await readWaiting(connection, due);
  const siblingsByKey = await readSiblings(connection, due);
  const pasts = new Map<string, SlotsPast<PendingRow>>();
  for (const { slot } of due) {
    const key = pastKey(slot);
    if (pasts.has(key)) continue;
    const siblings = siblingsByKey.get(key);
    pasts.set(key, {
      cursorMs: slot.cursorMs,
      ...(siblings === undefined
        ? { startedMs: slot.lastStartedMs, endedMs: slot.endedMs }
        : busyTimes(siblings)),
      pending: pendingByKey.get(key) ?? [],
      waiting: waitingByKey.get(key) ?? 0,
      isParallel: siblings !== undefined,
    });
  }
  return pasts;
}

/** What slots with a common cursor have in common. */
interface Place {
  readonly jobId: number;
  readonly nodeName: string;
}

export function pastKey({ jobId, nodeName }: Place): string {
  return `${jobId}:${nodeName}`;
}

/** By `pastKey`, slots or launches of one place together. */
export function byPlace<T extends Place>(rows: readonly T[]): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const row of rows) {
    const list = found.get(pastKey(row));
    if (list === undefined) found.set(pastKey(row), [row]);
    else list.push(row);
  }
  return found;
}

/** The earliest pending launches of each slot that a claim may take one for. */
async function readPending(
  connection: ChannelConnection,
  due: readonly Due[],
  nodeName: string,
): Promise<Map<string, PendingRow[]>> {
  const parts = new Map<string, Parameter[]>();
  for (const { slot, revision } of due) {
    const { misfire, parallel = 1 } = revision.definition;
    const mayTake = misfire === 'all' || parallel > 1 || mayTakePending(slot);
    if (mayTake) parts.set(pastKey(slot), [slot.jobId, slot.nodeName, nodeName, parallel]);
  }
  if (parts.size === 0) return new Map();
  const rest = ` UNION ALL (${selectPending})`.repeat(parts.size - 1);
  const sql = `(${selectPending})${rest}`;
  return byPlace(await connection.rows(pendingOfPlace, sql, [...parts.values()].flat()));
}

/**
 * One is due before the cursor, or may be due before the tick after those that the claim passes,
 * since they fell into the last run. All others go after the cursor, and are not read for.
 */
function mayTakePending({ cursorMs, endedMs, nextRunMs }: DueSlot): boolean {
  const isPassed = cursorMs !== null && endedMs !== null && endedMs >= cursorMs;
  return isPassed || nextRunMs !== cursorMs;
}

async function readWaiting(
  connection: ChannelConnection,
  due: readonly Due[],
): Promise<Map<string, number>> {
  const jobIds = due
    .filter(({ revision: { definition } }) => definition.overlap?.startsWith('queue'))
    .map(({ slot }) => slot.jobId);
  if (jobIds.length === 0) return new Map();
  const rows = await connection.rows(waitingOfPlace, selectWaiting, [jobIds]);
  return new Map(rows.map((row) => [pastKey(row), row.waiting]));
}

/** All slots that share a cursor, of the jobs that may run several launches at once. */
async function readSiblings(connection: ChannelConnection, due: readonly Due[]) {
  const places = new Map(
    due
      .filter(({ revision: { definition } }) => (definition.parallel ?? 1) > 1)
      .map(({ slot }) => [pastKey(slot), [slot.jobId, slot.nodeName]]),
  );
  const pairs = [...places.values()];
  return byPlace(
    pairs.length === 0 ? [] : await connection.rows(siblingSlot, selectSiblings, [pairs]),
  );
}

const place = { jobId: integer, nodeName: text };
const pendingOfPlace = rowOf({
  ...place,
  ...each(integer, 'pendingId', 'attempt'),
  trigger: wordOf<Trigger>(),
  ...each(instantMs, 'scheduledForMs', 'notBeforeMs'),
  requestId: text,
});
/** From the start of the index pending_by_due, however many launches wait. */
const selectPending = `/* claimSlots pending */ SELECT pending_id, job_id, node_name,
    triggered_by AS 'trigger', scheduled_for, attempt, request_id, not_before
  FROM pending WHERE job_id = ? AND node_name = ? AND ${notForAnotherNode}
  ORDER BY not_before, pending_id LIMIT ?`;
const waitingOfPlace = rowOf({ ...place, waiting: integer });
const selectWaiting = `/* claimSlots waiting */ SELECT job_id, node_name, COUNT(*) AS waiting
  FROM pending WHERE job_id IN (?) AND triggered_by = 'queue' GROUP BY job_id, node_name`;
const siblingSlot = rowOf({
  ...place,
  isIdle: flag,
  ...each(nullable(instantMs), 'startedMs', 'lastStartedMs', 'endedMs'),
});
const selectSiblings = `/* claimSlots siblings */ SELECT job_id, node_name,
    state = 'idle' AS is_idle, started_at AS started, last_started_at AS last_started,
    ended_at AS ended
  FROM slot WHERE (job_id, node_name) IN (?)`;

/** A slot that a claim may take, and the definition in force of its job. */
export interface Due {
  readonly slot: DueSlot;
  readonly revision: Revision;
}

export type DueSlot = ReturnType<typeof dueSlot>;
export const dueSlot = rowOf({
  ...each(integer, 'slotId', 'jobId', 'stripe', 'slotNo', 'targetId', 'jobRevision'),
  nodeName: text,
  ...each(nullable(instantMs), 'cursorMs', 'nextRunMs', 'endedMs', 'lastStartedMs'),
  nowMs: instantMs,
});
