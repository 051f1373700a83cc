import type { SlotState } from '../../domain/run/arrows.ts';
import type { Trigger } from '../../domain/run/run.ts';
import type { PendingFacts, SlotFacts } from '../../domain/why/whyFacts.ts';
import type { Channel } from '../connection/channel.ts';
import { each, flag, instantMs, integer, nullable, rowOf, text, wordOf } from '../rows/row.ts';

interface Launches {
  readonly slots: readonly SlotFacts[];
  /** The earliest of each node name first. */
  readonly pending: readonly PendingFacts[];
}

/** The slots of a job, and what is requested for them: as many of each as are looked at. */
export async function readLaunches(channel: Channel, jobId: number): Promise<Launches> {
  const rows = await channel.rows(launchRow, selectLaunches, [
    ...[jobId, slotsMax, jobId, pendingMax],
  ]);
  const slots = rows.filter(({ isSlot }) => isSlot);
  return {
    slots: slots.map(({ isSlot: _, ...slot }) => slot),
    pending: rows.flatMap(({ isSlot, nextRunMs, node, scheduledForMs, trigger, ...row }) => {
      if (isSlot || trigger === null || scheduledForMs === null || nextRunMs === null) return [];
      const { attempt, nodeName } = row;
      const launch = { trigger, scheduledForMs, attempt: attempt ?? 1, notBeforeMs: nextRunMs };
      return [{ ...launch, nodeName, wantedNode: node }];
    }),
  };
}

const slotsMax = 1_000;
const pendingMax = 100;

const launchRow = rowOf({
  isSlot: flag,
  nodeName: text,
  slotNo: integer,
  state: wordOf<SlotState>(),
  trigger: nullable(wordOf<Trigger>()),
  attempt: nullable(integer),
  ...each(nullable(text), 'launchId', 'sessionId', 'node'),
  ...each(nullable(instantMs), 'cursorMs', 'nextRunMs', 'scheduledForMs'),
  ...each(nullable(instantMs), 'startedMs', 'lastStartedMs', 'endedMs'),
});
const selectLaunches = `/* whyJob launches */ (SELECT 1 AS is_slot, slot.node_name, slot.slot_no,
    slot.state, slot.triggered_by AS 'trigger', slot.attempt, slot.launch_id, slot.session_id,
    session.node_name AS node, slot.cursor_at AS 'cursor', slot.next_run_at AS next_run,
    slot.scheduled_for, slot.started_at AS started, slot.last_started_at AS last_started,
    slot.ended_at AS ended
  FROM slot LEFT JOIN session ON session.session_id = slot.session_id
  WHERE slot.job_id = ? ORDER BY slot.node_name, slot.slot_no LIMIT ?)
  UNION ALL (SELECT 0, pending.node_name, 0, 'idle', pending.triggered_by, pending.attempt,
    NULL, NULL, launch_request.wanted_node, NULL, pending.not_before, pending.scheduled_for,
    NULL, NULL, NULL
  FROM pending LEFT JOIN launch_request ON launch_request.job_id = pending.job_id
    AND launch_request.request_id = pending.request_id
  WHERE pending.job_id = ? ORDER BY pending.node_name, pending.not_before, pending.pending_id
  LIMIT ?)`;
