import type { DatabaseTables } from '../record/readTables.ts';

/**
 * What tables tell of a run that began in the middle of a cluster's life.
 * @param since from which revision on a job's history is the run's; others are not recorded
 */
export function sinceAttached(
  tables: DatabaseTables,
  since: ReadonlyMap<number, number>,
): DatabaseTables {
  const isOfRun = (jobId: number, revision: number): boolean =>
    revision >= (since.get(jobId) ?? Number.POSITIVE_INFINITY);
  const isRecorded = ({ jobId }: { readonly jobId: number }): boolean => since.has(jobId);
  const audited = new Set(
    tables.audit.flatMap((row) => (row.table === 'session' ? [row.sessionId] : [])),
  );
  return {
    ...tables,
    audit: tables.audit.filter((row) => row.table === 'session' || isRecorded(row)),
    jobs: tables.jobs.filter(isRecorded).map((job) => ({
      ...job,
      revisions: job.revisions.filter(({ revision }) => isOfRun(job.jobId, revision)),
    })),
    runs: tables.runs.filter(({ jobId, revision }) => isOfRun(jobId, revision)),
    slots: tables.slots.filter(isRecorded),
    pending: tables.pending.filter(isRecorded),
    sessions: tables.sessions.filter(({ sessionId }) => audited.has(sessionId)),
  };
}
