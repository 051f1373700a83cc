import type { FindingLog } from './finding.ts';
import type { JobRecord } from './records.ts';
import type { RuleCode } from './verifyRules.ts';

/** What looks at the launches of one job, one after the other, and logs what is wrong with them. */
export abstract class JobCheck {
  readonly #job: JobRecord;
  readonly #log: FindingLog;
  /** How much two instants may differ, see `VerifyScope`. */
  protected readonly clockSlackMs: number;

  constructor(job: JobRecord, clockSlackMs: number, log: FindingLog) {
    this.#job = job;
    this.clockSlackMs = clockSlackMs;
    this.#log = log;
  }

  protected say(
    code: RuleCode,
    message: string,
    launch: { readonly scheduledForMs: number; readonly launchId?: string | null },
  ): void {
    const { scheduledForMs: tickMs, launchId = null } = launch;
    this.#log.add(code, this.#job.name, message, { tickMs, launchId });
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
