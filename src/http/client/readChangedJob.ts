import type { JobChanged } from '../../store/jobs/changeJob.ts';
import type { ChangedJobJson } from '../schemas/jobSchemas.ts';
import { instantMs, optionalMs } from './readInstant.ts';

/** What came of a change in the shape that the store has it in. */
export function readChangedJob(job: ChangedJobJson): JobChanged {
  return {
    jobId: job.jobId,
    isChanged: job.changed,
    revision: job.revision,
    inForceFromMs: instantMs(job.inForceFrom),
    nextRunMs: optionalMs(job.next),
    // A node of an earlier version does not tell.
    executing: job.executing ?? null,
  };
}
