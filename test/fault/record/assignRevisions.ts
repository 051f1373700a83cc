import type { AuditRow, JobRecord, ProcessRecord } from '../../checkers/history.ts';
import type { LedgerProcess } from './readLedgers.ts';

/**
 * Which revision the command of each process was of. The command holds a token of its edit, and
 * every revision until the next edit holds the same (a pause is a revision, too); of these it is
 * the one that the launch was claimed with, if that has the token, else the one that brought it.
 */
export function assignRevisions(
  processes: readonly LedgerProcess[],
  jobs: readonly JobRecord[],
  audit: readonly AuditRow[],
): ProcessRecord[] {
  const claimed = new Map<string, number>();
  for (const row of audit) {
    if (row.table !== 'slot' || row.after.launchId === null) continue;
    if (row.after.revision !== null) claimed.set(row.after.launchId, row.after.revision);
  }
  const byName = new Map<string, JobRecord[]>();
  for (const job of jobs) byName.set(job.name, [...(byName.get(job.name) ?? []), job]);
  return processes.map(({ token, ...process }) => {
    const revisions = (byName.get(process.job) ?? []).flatMap((job) => job.revisions);
    const holding = revisions
      .filter(({ definition }) => commandOf(definition).includes(` ${token} `))
      .map(({ revision }) => revision);
    const claim = claimed.get(process.launchId);
    const own = claim !== undefined && holding.includes(claim) ? claim : holding[0];
    return { ...process, revision: own ?? null };
  });
}

const commandOf = (definition: unknown): string => (definition as { command: string }).command;
