import type { Trigger } from '../../domain/run/run.ts';
import type { Channel } from '../connection/channel.ts';
import { instantMs, integer, nullable, rowOf, text, wordOf } from '../rows/row.ts';
import { groupOfJob } from './readRunEvents.ts';

const heldSlotShown = rowOf({
  launchId: text,
  state: wordOf<'prepare' | 'executing'>(),
  job: text,
  group: text,
  revision: integer,
  nodeName: text,
  slotNo: integer,
  node: nullable(text),
  sessionId: text,
  trigger: wordOf<Trigger>(),
  attempt: integer,
  requestId: nullable(text),
  scheduledForMs: instantMs,
  startedMs: nullable(instantMs),
});
/** A slot that some session holds, as events tell it. */
export type HeldSlotShown = ReturnType<typeof heldSlotShown>;

/** What all sessions hold now, at most so many; read without locks. */
export function readHeldSlots(channel: Channel, slotsMax: number): Promise<HeldSlotShown[]> {
  return channel.rows(heldSlotShown, selectHeld, [slotsMax]);
}

const selectHeld = `/* readHeldSlots */ SELECT STRAIGHT_JOIN slot.launch_id, slot.state,
    slot.revision, slot.node_name, slot.slot_no, slot.session_id, slot.triggered_by AS 'trigger',
    slot.attempt, slot.request_id, slot.scheduled_for, slot.started_at AS started, job.name AS job,
    IFNULL(NULLIF(${groupOfJob}, ''), 'default') AS 'group', session.node_name AS node
  FROM slot FORCE INDEX (slot_by_session) JOIN job ON job.job_id = slot.job_id
    LEFT JOIN session ON session.session_id = slot.session_id
  WHERE slot.session_id IS NOT NULL AND slot.state <> 'idle' LIMIT ?`;
