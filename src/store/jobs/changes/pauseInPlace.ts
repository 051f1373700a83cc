import type { Reason } from '../../../domain/reasons/reasons.ts';
import type { ChannelConnection } from '../../connection/channel.ts';
import { readJobInForce } from '../findJob.ts';
import { writeRevision } from './writeRevision.ts';

/**
 * Pauses a job in a transaction that holds its stripe already, as an operator would, and keeps why:
 * nothing of it starts between what made it stop and its pause.
 */
export async function pauseInPlace(
  connection: ChannelConnection,
  jobId: number,
  reason: Reason,
): Promise<void> {
  const job = await readJobInForce(connection, jobId);
  if (job === null || job.isPaused) return;
  const { definition } = job;
  await writeRevision(connection, 'pause', job, { definition, isPaused: true, reason });
}
