import type { SlotState } from '../../domain/arrows.ts';
import type { Trigger } from '../../domain/run.ts';
import type { Channel, Row } from '../channel.ts';
import { readEligibleNodes } from '../targeting/unrunnableJobs.ts';
import { findJob, jobMissing } from './findJob.ts';
import { type RevisionShown, readRevisions } from './readRevisions.ts';

export interface SlotShown {
  readonly nodeName: string;
  readonly slotNo: number;
  readonly stripe: number;
  readonly state: SlotState;
  readonly nextRunMs: number | null;
  readonly cursorMs: number | null;
  readonly trigger: Trigger | null;
  readonly scheduledForMs: number | null;
  readonly launchId: string | null;
  readonly startedMs: number | null;
  readonly isStopping: boolean;
  /** The name of the node that holds it, or null. */
  readonly node: string | null;
}

export interface JobShown {
  readonly jobId: number;
  readonly name: string;
  readonly isPaused: boolean;
  /** When its pause ends by itself; null: it does not. */
  readonly resumeAtMs: number | null;
  readonly createdMs: number;
  /** The one in force, then those before it, newest first, as `readRevisions` bounds them. */
  readonly revisions: readonly [RevisionShown, ...RevisionShown[]];
  readonly slots: readonly SlotShown[];
  /** How many launches are asked for and not yet claimed. */
  readonly pending: number;
  /** The live nodes that may run it, the ranking by levels left out. */
  readonly nodes: readonly string[];
  /** The database's clock. */
  readonly nowMs: number;
}

/**
 * All that there is to know about one job, read without locks: it may be a moment old.
 * @throws OperatorError `job_missing`.
 */
export async function showJob(
  channel: Channel,
  name: string,
  revisionsMax = 20,
): Promise<JobShown> {
  const { jobId } = await findJob(channel, name);
  const [job] = await channel.query<Row[]>(selectJob, [jobId]);
  const { revisions } = await readRevisions(channel, jobId, { revisionsMax });
  const [first, ...others] = revisions;
  if (job === undefined || first === undefined) throw jobMissing(name);
  const slots = await channel.query<Row[]>(selectSlots, [jobId, slotsMax]);
  return {
    jobId,
    name: job.name as string,
    isPaused: job.paused === 1,
    resumeAtMs: instant(job.resume_at),
    createdMs: (job.created_at as Date).getTime(),
    revisions: [first, ...others],
    slots: slots.map(slotOf),
    pending: Number(job.pending),
    nodes: await readEligibleNodes(channel, jobId),
    nowMs: (job.now_at as Date).getTime(),
  };
}

const slotsMax = 1_000;

function slotOf(row: Row): SlotShown {
  return {
    nodeName: row.node_name as string,
    slotNo: row.slot_no as number,
    stripe: row.stripe as number,
    state: row.state as SlotState,
    nextRunMs: instant(row.next_run_at),
    cursorMs: instant(row.cursor_at),
    trigger: row.triggered_by as Trigger | null,
    scheduledForMs: instant(row.scheduled_for),
    launchId: row.launch_id as string | null,
    startedMs: instant(row.started_at),
    isStopping: row.stop_requested_at !== null,
    node: row.session_node as string | null,
  };
}

function instant(value: Date | null): number | null {
  return value?.getTime() ?? null;
}

const selectJob = `/* showJob */ SELECT name, paused, created_at, NOW(3) AS now_at,
    IF(paused = 1 AND resume_revision = revision, resume_at, NULL) AS resume_at,
    (SELECT COUNT(*) FROM pending WHERE pending.job_id = job.job_id) AS pending
  FROM job WHERE job_id = ?`;
const selectSlots = `/* showJob slots */ SELECT slot.*, session.node_name AS session_node
  FROM slot LEFT JOIN session ON session.session_id = slot.session_id
  WHERE slot.job_id = ? ORDER BY slot.node_name, slot.slot_no LIMIT ?`;
