import type { Channel, ChannelConnection } from '../connection/channel.ts';
import { changeOnce } from '../idempotency/changeOnce.ts';
import { findJob, type JobInForce, jobMissing, readJobInForce } from './findJob.ts';

/** An operator's change of one job. */
interface ChangeOfJob<T> {
  /** Names the statements of its transaction. */
  readonly name: string;
  readonly isIdempotent?: boolean;
  /** False: it only reads. */
  readonly isLocked?: boolean;
  /** Is given the job in force, under its stripes. */
  readonly work: (connection: ChannelConnection, job: JobInForce) => Promise<T>;
  /** The command that shows whether it was done. */
  readonly look: string;
  /** Of its row in the audit log, whose target is the job; see `answers` of `changeOnce`. */
  readonly action?: string;
}

/**
 * Makes a change of the job with that name, see `changeOnce`.
 * @throws OperatorError `job_missing`, and what `settleOutcome` and the work throw.
 */
export async function changeJobInForce<T>(
  channel: Channel,
  jobName: string,
  { action, isLocked = true, work, ...change }: ChangeOfJob<T>,
): Promise<T> {
  const { jobId, stripes } = await findJob(channel, jobName);
  return changeOnce<T>(channel, {
    ...change,
    lock: isLocked ? stripes : [],
    work: async (connection) => {
      const job = await readJobInForce(connection, jobId);
      return job === null ? { refuse: 'job_missing' } : { commit: await work(connection, job) };
    },
    ...(action === undefined ? {} : { answers: { action, target: jobName } }),
    refused: () => jobMissing(jobName),
  });
}
