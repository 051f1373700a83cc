import type { History } from '../../checkers/history.ts';
import { assignRevisions } from './assignRevisions.ts';
import type { Evidence } from './readEvidence.ts';

/** What the supervisor itself has seen of a run. */
export type OwnEvidence = Pick<History, 'about' | 'clock' | 'operations' | 'faults' | 'lives'>;

/** All that is known of a run, as a judge takes it. */
export function makeHistory({ processes, tables }: Evidence, own: OwnEvidence): History {
  const { audit, jobs, runs, slots, pending, sessions } = tables;
  return {
    ...own,
    jobs,
    processes: assignRevisions(processes, jobs, audit),
    audit,
    runs,
    slots,
    pending,
    sessions,
    faults: [...own.faults].sort((a, b) => a.fromMs - b.fromMs),
  };
}
