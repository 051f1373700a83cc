import type { RevisionRecord, RunRecord } from './history.ts';
import type { JobEvidence } from './jobEvidence.ts';

/**
 * The revisions that may have been the job's when a run's row was written: the last that was in
 * force, and any made at about that time, since one may be in force only a while after it is made.
 */
export function revisionsAbout(
  { record }: JobEvidence,
  { endedDatabaseMs, revision }: RunRecord,
): readonly RevisionRecord[] {
  return record.revisions.filter((each) => {
    const untilMs = each.inForceUntilDatabaseMs ?? Number.POSITIVE_INFINITY;
    const isAbout =
      each.inForceFromDatabaseMs <= endedDatabaseMs + putOffMs &&
      untilMs >= endedDatabaseMs - putOffMs;
    return isAbout && each.revision >= revision;
  });
}

/** Longer than anything is claimed ahead. */
const putOffMs = 40_000;
