/** Behind a FROM with jobs: each with its revision in force. */
export const joinRevision = `JOIN job_revision
    ON job_revision.job_id = job.job_id AND job_revision.revision = job.revision`;

/** For a FROM: jobs, each with its revision in force. */
export const joinedRevision = `job ${joinRevision}`;
