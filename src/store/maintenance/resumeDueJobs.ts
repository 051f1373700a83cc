import { OperatorError } from '../../domain/errors/errors.ts';
import type { Channel } from '../connection/channel.ts';
import { resumeDueJob } from '../jobs/changes/changeJob.ts';
import { only, text } from '../rows/row.ts';

/** Few at a time: the others have their turn at the next round, of any node. */
const jobsMax = 20;

/**
 * Resumes the jobs whose pause has come to its end, each as `job resume` does it, under its lock.
 * Resolves to how many. Throws what the driver throws.
 */
export async function resumeDueJobs(channel: Channel): Promise<number> {
  let resumed = 0;
  for (const name of await channel.rows(only(text), selectDue, [jobsMax])) {
    try {
      const { isChanged } = await resumeDueJob(channel, name);
      if (isChanged) resumed += 1;
    } catch (error) {
      // It was removed meanwhile, or nobody knows: the next round looks again.
      if (!(error instanceof OperatorError)) throw error;
    }
  }
  return resumed;
}

const selectDue = `/* resumeDueJobs */ SELECT name FROM job
  WHERE resume_at <= NOW(3) AND paused = 1 AND removed_no = 0 AND resume_revision = revision
  ORDER BY resume_at LIMIT ?`;
