import type { FindingDetails, FindingLog } from './finding.ts';
import type { JobRecord } from './records.ts';
import type { RuleCode } from './verifyRules.ts';
import type { VerifyScope } from './verifyScope.ts';

/** What checks of one job share: the job's row, the scope, and where they report findings. */
export class JobCheck {
  readonly job: JobRecord;
  readonly scope: VerifyScope;
  readonly log: FindingLog;
  /** Ticks before it are owed no row. */
  readonly sinceMs: number;

  constructor(job: JobRecord, scope: VerifyScope, log: FindingLog) {
    this.job = job;
    this.scope = scope;
    this.log = log;
    this.sinceMs = Math.max(scope.sinceMs, job.historyFromMs ?? scope.sinceMs);
  }

  report(code: RuleCode, message: string, details: FindingDetails = {}): void {
    this.log.add(code, this.job.name, message, details);
  }

  /** The same of one launch, or of one tick. */
  reportLaunch(
    code: RuleCode,
    message: string,
    {
      scheduledForMs: tickMs,
      launchId = null,
    }: { scheduledForMs: number; launchId?: string | null },
  ): void {
    this.report(code, message, { tickMs, launchId });
  }
}

/** Removes the oldest entry of a map above its bound; returns whether it did. */
export function forgetOldest<Key>(map: Map<Key, unknown>, entriesMax: number): boolean {
  if (map.size <= entriesMax) return false;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    break;
  }
  return true;
}
