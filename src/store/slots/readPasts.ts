import type { PendingLaunch } from '../../domain/claimDecision.ts';
import type { Trigger } from '../../domain/run.ts';
import { busyTimes, type Sibling, type SlotsPast } from '../../domain/slotsPast.ts';
import type { ChannelConnection, Row } from '../channel.ts';
import type { Parameter } from '../queryable.ts';
import { notForAnotherNode } from './requestDetails.ts';
import type { Revision } from './revisionCache.ts';

/** A pending launch that a claim may take. */
export interface PendingRow extends PendingLaunch {
  readonly pendingId: number;
  readonly requestId: string;
}

interface DueSlot {
  readonly row: Row;
  readonly revision: Revision;
}

/** By `pastKey`, the past of every slot that is due, read under its stripe. */
export async function readPasts(
  connection: ChannelConnection,
  due: readonly DueSlot[],
  nodeName: string,
): Promise<Map<string, SlotsPast<PendingRow>>> {
  const pendingByKey = await readPending(connection, due, nodeName);
  const waitingByKey = await readWaiting(connection, due);
  const siblingsByKey = await readSiblings(connection, due);
  const pasts = new Map<string, SlotsPast<PendingRow>>();
  for (const { row } of due) {
    const key = pastKey(row);
    if (pasts.has(key)) continue;
    const siblings = siblingsByKey.get(key);
    pasts.set(key, {
      cursorMs: instant(row.cursor_at),
      ...(siblings === undefined
        ? { startedMs: instant(row.last_started_at), endedMs: instant(row.ended_at) }
        : busyTimes(siblings)),
      pending: pendingByKey.get(key) ?? [],
      waiting: waitingByKey.get(key) ?? 0,
      isParallel: siblings !== undefined,
    });
  }
  return pasts;
}

export function pastKey(row: Row): string {
  return `${row.job_id}:${row.node_name}`;
}

/** The earliest pending launches of each slot that a claim may take one for. */
async function readPending(
  connection: ChannelConnection,
  due: readonly DueSlot[],
  nodeName: string,
): Promise<Map<string, PendingRow[]>> {
  const parts = new Map<string, Parameter[]>();
  for (const { row, revision } of due) {
    const { misfire, parallel = 1 } = revision.definition;
    const mayTake = misfire === 'all' || parallel > 1 || mayTakePending(row);
    if (mayTake) parts.set(pastKey(row), [row.job_id, row.node_name, nodeName, parallel]);
  }
  if (parts.size === 0) return new Map();
  const rest = ` UNION ALL (${selectPending})`.repeat(parts.size - 1);
  const sql = `(${selectPending})${rest}`;
  const rows = await connection.query<Row[]>(sql, [...parts.values()].flat());
  const found = new Map<string, PendingRow[]>();
  for (const row of rows) {
    const key = pastKey(row);
    const list = found.get(key) ?? [];
    list.push(pendingOf(row));
    found.set(key, list);
  }
  return found;
}

/**
 * One is due before the cursor, or may be due before the tick after those that the claim passes,
 * since they fell into the last run. All others go after the cursor, and are not read for.
 */
function mayTakePending(row: Row): boolean {
  const [cursorMs, endedMs] = [instant(row.cursor_at), instant(row.ended_at)];
  const isPassed = cursorMs !== null && endedMs !== null && endedMs >= cursorMs;
  return isPassed || instant(row.next_run_at) !== cursorMs;
}

function pendingOf(row: Row): PendingRow {
  return {
    pendingId: row.pending_id as number,
    trigger: row.triggered_by as Trigger,
    scheduledForMs: (row.scheduled_for as Date).getTime(),
    attempt: row.attempt as number,
    notBeforeMs: (row.not_before as Date).getTime(),
    requestId: row.request_id as string,
  };
}

async function readWaiting(
  connection: ChannelConnection,
  due: readonly DueSlot[],
): Promise<Map<string, number>> {
  const jobIds = due
    .filter(({ revision: { definition } }) => definition.overlap?.startsWith('queue'))
    .map(({ row }) => row.job_id as number);
  if (jobIds.length === 0) return new Map();
  const rows = await connection.query<Row[]>(selectWaiting, [jobIds]);
  return new Map(rows.map((row) => [pastKey(row), Number(row.waiting)]));
}

/** All slots that share a cursor, of the jobs that may run several launches at once. */
async function readSiblings(
  connection: ChannelConnection,
  due: readonly DueSlot[],
): Promise<Map<string, Sibling[]>> {
  const places = new Map(
    due
      .filter(({ revision: { definition } }) => (definition.parallel ?? 1) > 1)
      .map(({ row }) => [pastKey(row), [row.job_id as number, row.node_name as string]]),
  );
  if (places.size === 0) return new Map();
  const rows = await connection.query<Row[]>(selectSiblings, [[...places.values()]]);
  const found = new Map<string, Sibling[]>();
  for (const row of rows) {
    const key = pastKey(row);
    const list = found.get(key) ?? [];
    list.push(siblingOf(row));
    found.set(key, list);
  }
  return found;
}

function instant(value: Date | null): number | null {
  return value === null ? null : value.getTime();
}

function siblingOf(row: Row): Sibling {
  return {
    isIdle: row.state === 'idle',
    startedMs: instant(row.started_at),
    lastStartedMs: instant(row.last_started_at),
    endedMs: instant(row.ended_at),
  };
}

/** From the start of the index pending_by_due, however many launches wait. */
const selectPending = `/* claimSlots pending */ SELECT pending_id, job_id, node_name, triggered_by,
    scheduled_for, attempt, request_id, not_before
  FROM pending WHERE job_id = ? AND node_name = ? AND ${notForAnotherNode}
  ORDER BY not_before, pending_id LIMIT ?`;
const selectWaiting = `/* claimSlots waiting */ SELECT job_id, node_name, COUNT(*) AS waiting
  FROM pending WHERE job_id IN (?) AND triggered_by = 'queue' GROUP BY job_id, node_name`;
const selectSiblings = `/* claimSlots siblings */ SELECT job_id, node_name, state, started_at,
    last_started_at, ended_at
  FROM slot WHERE (job_id, node_name) IN (?)`;
