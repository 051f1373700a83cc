import type { SlotState } from '../../domain/run/arrows.ts';
import type { Trigger } from '../../domain/run/run.ts';
import type { Channel } from '../connection/channel.ts';
import { type MuteShown, readMutesOfJob } from '../notifications/delivery/readMutes.ts';
import { each, flag, instantMs, integer, nullable, rowOf, text, wordOf } from '../rows/row.ts';
import { readEligibleNodes } from '../targeting/unrunnableJobs.ts';
import { findJob, jobMissing, pauseColumns, selectPause } from './findJob.ts';
import { type RevisionShown, readRevisions } from './readRevisions.ts';

const slotShown = rowOf({
  nodeName: text,
  ...each(integer, 'slotNo', 'stripe'),
  state: wordOf<SlotState>(),
  ...each(nullable(instantMs), 'nextRunMs', 'cursorMs', 'scheduledForMs', 'startedMs'),
  trigger: nullable(wordOf<Trigger>()),
  launchId: nullable(text),
  isStopping: flag,
  /** The name of the node that holds it, or null. */
  node: nullable(text),
});
export type SlotShown = ReturnType<typeof slotShown>;

const jobShown = rowOf({
  ...pauseColumns,
  jobId: integer,
  name: text,
  createdMs: instantMs,
  /** How many launches are requested and not yet claimed. */
  pending: integer,
  /** The database's clock. */
  nowMs: instantMs,
});
export interface JobShown extends ReturnType<typeof jobShown> {
  /** The one in force, then those before it, newest first, as `readRevisions` bounds them. */
  readonly revisions: readonly [RevisionShown, ...RevisionShown[]];
  readonly slots: readonly SlotShown[];
  /** The live nodes that may run it, the ranking by levels left out. */
  readonly nodes: readonly string[];
  /** What holds back its notifications. */
  readonly mutes: readonly MuteShown[];
}

/**
 * All that there is to know about one job, read without locks: it may be slightly old.
 * @throws OperatorError `job_missing`.
 */
export async function showJob(
  channel: Channel,
  name: string,
  revisionsMax = 20,
): Promise<JobShown> {
  const { jobId } = await findJob(channel, name);
  const [job] = await channel.rows(jobShown, selectJob, [jobId]);
  const { revisions } = await readRevisions(channel, jobId, { revisionsMax });
  const [first, ...others] = revisions;
  if (job === undefined || first === undefined) throw jobMissing(name);
  return {
    ...job,
    revisions: [first, ...others],
    slots: await channel.rows(slotShown, selectSlots, [jobId, slotsMax]),
    nodes: await readEligibleNodes(channel, jobId),
    mutes: await readMutesOfJob(channel, first.definition),
  };
}

const slotsMax = 1_000;

const selectJob = `/* showJob */ SELECT job_id, name, created_at AS created, NOW(3) AS now,
    ${selectPause},
    (SELECT COUNT(*) FROM pending WHERE pending.job_id = job.job_id) AS pending
  FROM job WHERE job_id = ?`;
const selectSlots = `/* showJob slots */ SELECT slot.node_name, slot.slot_no, slot.stripe,
    slot.state, slot.next_run_at AS next_run, slot.cursor_at AS 'cursor',
    slot.triggered_by AS 'trigger', slot.scheduled_for, slot.launch_id, slot.started_at AS started,
    slot.stop_requested_at IS NOT NULL AS is_stopping, session.node_name AS node
  FROM slot LEFT JOIN session ON session.session_id = slot.session_id
  WHERE slot.job_id = ? ORDER BY slot.node_name, slot.slot_no LIMIT ?`;
