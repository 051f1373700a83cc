import type { Trigger } from '../../domain/run.ts';
import type { Channel, Row } from '../channel.ts';
import { groupOfColumn } from '../targeting/columnsOfGroups.ts';
import { groupOfJob } from './readRunEvents.ts';

/** A slot that some session holds, as events tell it. */
export interface HeldSlotShown {
  readonly launchId: string;
  readonly state: 'prepare' | 'executing';
  readonly job: string;
  readonly group: string;
  readonly revision: number;
  readonly nodeName: string;
  readonly slotNo: number;
  readonly node: string | null;
  readonly sessionId: string;
  readonly trigger: Trigger;
  readonly attempt: number;
  readonly requestId: string | null;
  readonly scheduledForMs: number;
  readonly startedMs: number | null;
}

/** What all sessions hold now, at most so many; read without locks. */
export async function readHeldSlots(channel: Channel, slotsMax: number): Promise<HeldSlotShown[]> {
  const rows = await channel.query<Row[]>(selectHeld, [slotsMax]);
  return rows.map((row) => ({
    launchId: row.launch_id as string,
    state: row.state as 'prepare' | 'executing',
    job: row.job_name as string,
    group: groupOfColumn(row.job_group),
    revision: row.revision as number,
    nodeName: row.node_name as string,
    slotNo: row.slot_no as number,
    node: row.session_node as string | null,
    sessionId: row.session_id as string,
    trigger: row.triggered_by as Trigger,
    attempt: row.attempt as number,
    requestId: row.request_id as string | null,
    scheduledForMs: (row.scheduled_for as Date).getTime(),
    startedMs: (row.started_at as Date | null)?.getTime() ?? null,
  }));
}

const selectHeld = `/* readHeldSlots */ SELECT STRAIGHT_JOIN slot.launch_id, slot.state,
    slot.revision, slot.node_name, slot.slot_no, slot.session_id, slot.triggered_by, slot.attempt,
    slot.request_id, slot.scheduled_for, slot.started_at, job.name AS job_name,
    ${groupOfJob} AS job_group, session.node_name AS session_node
  FROM slot FORCE INDEX (slot_by_session) JOIN job ON job.job_id = slot.job_id
    LEFT JOIN session ON session.session_id = slot.session_id
  WHERE slot.session_id IS NOT NULL AND slot.state <> 'idle' LIMIT ?`;
