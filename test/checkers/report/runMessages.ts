import type { LaunchMessage } from '../../../src/domain/commit/nodeActivity.ts';

/**
 * What nodes reported of launches while a run went on: which actor said what to which. It is the
 * word of those who are judged, so that nothing is judged by it. Times are the database's.
 */
export interface RunMessages {
  /** How many launches were left out, the oldest, so that the folder stays small. */
  readonly leftOut: number;
  /** When each session reported last. */
  readonly sessions: Readonly<Record<string, number>>;
  readonly launches: Readonly<Record<string, ReportedLaunch>>;
}

interface ReportedLaunch {
  /** When its node reported it last. */
  readonly reportedDatabaseMs: number;
  readonly messages: readonly LaunchMessage[];
}
