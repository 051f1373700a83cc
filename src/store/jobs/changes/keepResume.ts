import { FieldError } from '../../../domain/errors/errors.ts';
import type { ChannelConnection } from '../../connection/channel.ts';
import { dateOf } from '../../connection/queryable.ts';

/** Keeps when a job's pause ends by itself; null: it does not. The caller holds its stripes. */
export async function keepResume(
  connection: ChannelConnection,
  jobId: number,
  resumeAtMs: number | null,
): Promise<void> {
  await connection.change(moveResume, [dateOf(resumeAtMs), jobId]);
}

/** Refused, since the job would be resumed at once. */
export function pauseOver(field: 'until' | 'pausedUntil', untilMs: number): FieldError {
  return endOver('pause_over', field, untilMs);
}

/** The end of a pause or a mute that has come already. */
export function endOver(
  code: 'mute_over' | 'pause_over',
  field: 'until' | 'pausedUntil',
  untilMs: number,
): FieldError {
  const message = `${new Date(untilMs).toISOString()} is over already`;
  return new FieldError({
    code,
    message: `${field}: ${message}.`,
    hint: 'Name an instant to come, or a time from now on such as 2h.',
    errors: [{ field, message }],
  });
}

const moveResume = `/* keepResume */ UPDATE job
  SET resume_at = ?, resume_revision = IF(resume_at IS NULL, NULL, revision) WHERE job_id = ?`;
