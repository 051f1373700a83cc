import { isFailure, isTickLaunch } from '../../run/run.ts';
import { type FindingLog, instantText } from '../rules/finding.ts';
import { JobCheck } from '../rules/jobCheck.ts';
import { type RevisionTerms, runLabel, type VerifyRecords } from '../rules/records.ts';
import type { VerifyScope } from '../rules/verifyScope.ts';
import type { StartedLaunch } from './startedRuns.ts';

/** A launch of the schedule that was really started; `result` is null while it executes. */
interface LimitedRun extends StartedLaunch {
  readonly revision: number | null;
  readonly isFinal: boolean;
  readonly result: string | null;
  /** Those that decided whether the job goes on after it; null: not surely. */
  readonly terms: RevisionTerms | null;
}

interface Count {
  stretch: number;
  ran: number;
  failures: number;
  /** The highest number of a row: one with a lower number was written before it. */
  runId: number;
  /** The run that reached a limit, and when it ended. */
  reached: { readonly label: string; readonly endedMs: number; readonly why: string } | null;
}

/**
 * `runsMax` and `failuresMax`: whoever reaches them is paused in the same transaction, so that the
 * schedule starts nothing more until somebody resumes it. Counted over all nodes in the order in
 * which runs ended, and anew after each pause; what was counted before it, or was cleaned away,
 * only makes the limit come sooner. The end of a run whose node was out of contact is written later
 * than others: in which order failures were counted then nobody can tell.
 */
export class RunLimits extends JobCheck {
  /** The stretch between two pauses that each revision is of. */
  readonly #stretches = new Map<number, number>();
  #count: Count | null = null;
  readonly #hasLimits: boolean;

  constructor({ job, revisions }: VerifyRecords, scope: VerifyScope, log: FindingLog) {
    super(job, scope, log);
    let stretch = 0;
    for (const record of revisions) {
      if (record.isPaused) stretch += 1;
      this.#stretches.set(record.revision, stretch);
    }
    this.#hasLimits = revisions.some(({ definition }) => {
      return definition?.runsMax !== undefined || definition?.failuresMax !== undefined;
    });
  }

  take(run: LimitedRun): void {
    if (!this.#hasLimits || !isTickLaunch(run)) return;
    const stretch = this.#stretches.get(run.revision ?? 0);
    if (stretch === undefined) return;
    const count = this.#countOf(stretch);
    if (count === null) return;
    if (run.runId > 0 && run.runId < count.runId)
      Object.assign(count, { failures: 0, reached: null });
    count.runId = Math.max(count.runId, run.runId);
    const { reached } = count;
    const endedMs = (reached?.endedMs ?? Infinity) + this.scope.clockSlackMs;
    // Further attempts of a tick that was under way belong to it.
    if (reached !== null && run.attempt === 1 && run.startedMs > endedMs) {
      const started = `${runLabel(run)} started ${instantText(run.startedMs)}`;
      const message = `${started}, after ${reached.label} had ${reached.why}`;
      this.reportLaunch('run_beyond_limit', message, run);
    }
    if (!run.isFinal || run.endedMs === null) return;
    count.ran += 1;
    // What was stopped is neither a success nor a failure.
    if (isFailure(run.result)) count.failures += 1;
    else if (run.result === 'succeeded') count.failures = 0;
    const { runsMax = Infinity, failuresMax = Infinity } = run.terms ?? {};
    let why: string | null = null;
    if (count.ran >= runsMax) why = `been the last of ${runsMax}`;
    else if (count.failures >= failuresMax) why = `failed as the last of ${failuresMax} in a row`;
    if (why === null || reached !== null) return;
    count.reached = { label: runLabel(run), endedMs: run.endedMs, why };
  }

  /** Null: the run is of a time before the last pause. */
  #countOf(stretch: number): Count | null {
    const known = this.#count;
    if (known !== null && known.stretch > stretch) return null;
    if (known?.stretch === stretch) return known;
    this.#count = { stretch, ran: 0, failures: 0, runId: 0, reached: null };
    return this.#count;
  }
}
