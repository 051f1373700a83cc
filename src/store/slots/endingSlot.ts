import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import type { Trigger } from '../../domain/run/run.ts';
import { each, flag, instantMs, integer, nullable, rowOf, text, wordOf } from '../rows/row.ts';

/** Of a slot whose launch ends, and of its job. */
export type EndingSlot = ReturnType<typeof endingSlot>;
export const endingColumns = {
  ...each(integer, 'slotId', 'jobId', 'attempt', 'jobRevision'),
  ...each(text, 'nodeName', 'launchId'),
  trigger: wordOf<Trigger>(),
  requestId: nullable(text),
  lastFailure: nullable(text),
  ...each(instantMs, 'scheduledForMs', 'nowMs'),
  startedMs: nullable(instantMs),
  isJobPaused: flag,
};
const endingSlot = rowOf(endingColumns);
/** The same for a SELECT of `slot` and `job`. */
export const selectEnding = `slot.slot_id, slot.job_id, slot.node_name, slot.launch_id,
    slot.triggered_by AS 'trigger', slot.request_id, slot.attempt, slot.scheduled_for,
    slot.started_at AS started, NOW(3) AS now, job.revision AS job_revision,
    job.paused AS is_job_paused, job.last_failure`;

/** What the policies of its job make of a launch that ends. */
export interface NextAttempt {
  /** The job's definition in force, which need not be the one that was launched. */
  readonly definition: JobDefinition;
  /** False: it is of a later version, and says what this one cannot know. */
  readonly isUnderstood: boolean;
  /** Null: this was the last attempt. */
  readonly next: { readonly attempt: number; readonly delayMs: number } | null;
}
