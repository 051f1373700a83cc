import type { RetryPolicy } from '../../job/jobPolicies.ts';
import { rerunsMax, retryReason } from '../../policies/nextAttempt.ts';
import { reasons } from '../../reasons/reasons.ts';
import { isTickLaunch } from '../../run/run.ts';
import { instantText } from '../rules/finding.ts';
import { forgetOldest, JobCheck } from '../rules/jobCheck.ts';
import {
  attemptsKey,
  type PendingRecord,
  type RevisionTerms,
  type RunRecord,
  runLabel,
} from '../rules/records.ts';

/** An attempt's row, and the terms that say what comes after it; null: not surely. */
interface AttemptRow extends RunRecord {
  readonly terms: RevisionTerms | null;
  /** Its session has ended, so that its result may have been recorded late. */
  readonly isSessionOver: boolean;
}

/**
 * The attempts of one tick, or of one request, in the order of their ends: numbered without a gap,
 * none after the one that is final, none sooner or more often than the policy has it, and none left
 * open. Only those that wait for another are remembered, and of these so many.
 */
export class Attempts extends JobCheck {
  readonly #open = new Map<string, AttemptRow>();
  /** Some were forgotten, so that an attempt without the one before it proves nothing. */
  #hasForgotten = false;

  take(row: AttemptRow): void {
    // A range has no attempts, and the ledger accounts for its ticks.
    if (row.scheduledUntilMs !== null && row.scheduledUntilMs > row.scheduledForMs) return;
    // Most rows of most jobs are of a first attempt that is the last, and nothing waits.
    const isOnly = row.isFinal && row.attempt === 1 && row.terms?.retry === undefined;
    if (isOnly && this.#open.size === 0) return;
    const key = attemptsKey(row);
    const last = this.#open.get(key);
    if (row.launchId !== null) this.#checkNumber(row, last);
    if (row.startedMs !== null && last !== undefined) this.#checkDelay(row, last);
    if (row.isFinal) this.#checkLast(row);
    else this.#checkOpen(row);
    this.#open.delete(key);
    if (row.isFinal) return;
    this.#open.set(key, row);
    if (forgetOldest(this.#open, openMax)) this.#hasForgotten = true;
  }

  /** What waits or is held goes on with what its last attempt left. */
  goesOn(launch: Parameters<typeof attemptsKey>[0] & Pick<PendingRecord, 'attempt'>): void {
    this.#open.delete(attemptsKey(launch));
  }

  /** What is left open has no further attempt; missing ticks are the ledger's to report. */
  finish(): void {
    for (const last of this.#open.values()) {
      if (isTickLaunch(last)) continue;
      const message = `${runLabel(last)}, attempt ${last.attempt}, is not the last, none follows`;
      this.reportLaunch('attempt_open', message, last);
    }
  }

  #checkNumber(row: AttemptRow, last: AttemptRow | undefined): void {
    const { attempt } = row;
    let lack = 'none before waited for another';
    if (last === undefined) {
      const isFirst = attempt === 1 || !isTickLaunch(row) || this.#hasForgotten;
      if (isFirst || row.scheduledForMs < this.sinceMs) return;
    } else {
      // What was never spawned is the same attempt again.
      const wanted = last.result === 'not_started' ? last.attempt : last.attempt + 1;
      if (attempt === wanted) return;
      lack = `${wanted} was to come`;
    }
    this.reportLaunch('attempt_gap', `${runLabel(row)} is attempt ${attempt}, and ${lack}`, row);
  }

  #checkDelay(row: AttemptRow, last: AttemptRow): void {
    const retry = last.terms?.retry;
    if (retry === undefined || !isRetried(retry, last.result) || isRequested(last)) return;
    const leastMs = leastDelayMs(retry, last.attempt);
    const waitedMs = (row.startedMs ?? 0) - last.endedMs;
    // A late result says when its host saw the end, and the wait began when it was called lost.
    if (last.isSessionOver || waitedMs >= leastMs - this.scope.clockSlackMs) return;
    const started = `${runLabel(row)} started ${waitedMs} ms after ${runLabel(last)} ended`;
    const message = `${started}, and ${leastMs} ms were to be between them`;
    this.reportLaunch('attempt_early', message, row);
  }

  /** The final row of what may have had another attempt. */
  #checkLast(row: AttemptRow): void {
    const { terms, result, attempt } = row;
    if (terms?.retry === undefined || row.startedMs === null || row.launchId === null) return;
    const mayFollow = result === 'failed' || result === 'timed_out';
    if (!mayFollow || row.isSessionOver) return;
    if (attempt >= attemptsMax(terms, result)) return;
    const which = `${runLabel(row)}, attempt ${attempt} of ${terms.retry.max + 1}`;
    const message = `${which}, ${result} at ${instantText(row.endedMs)}, and is called the last`;
    this.reportLaunch('attempt_lacking', message, row);
  }

  #checkOpen(row: AttemptRow): void {
    const { terms, result, attempt } = row;
    if (result === 'not_started' || terms === null || isRequested(row)) return;
    const most = attemptsMax(terms, result);
    // The result of a lost attempt that is followed may be recorded late all the same.
    const mayBeLate = row.isSessionOver && attemptsMax(terms, 'lost') > 1;
    if (attempt < most || mayBeLate) return;
    const label = runLabel(row);
    if (most === 1) {
      const message = `${label} ${result}, and another attempt is to follow`;
      this.reportLaunch('attempt_unasked', message, row);
    } else {
      const message = `${label} is attempt ${attempt} of ${most}, and another is to follow`;
      this.reportLaunch('attempt_beyond', message, row);
    }
  }
}

/** Ticks that wait for their next attempt are few at a time. */
const openMax = 10_000;

/** An operator had what was the last attempt tried again, or its result came late. */
function isRequested({ reason }: RunRecord): boolean {
  return [reasons.triedAgain, reasons.recordedLate].some((words) => reason?.includes(words));
}

/** Whether the policy has another attempt follow such an end. */
function isRetried({ on }: RetryPolicy, result: string): boolean {
  const why = retryReason(result);
  return why !== null && on.includes(why);
}

/** How many attempts there may be when one ends so. */
function attemptsMax({ retry, nodeLoss }: RevisionTerms, result: string): number {
  if (retry !== undefined && isRetried(retry, result)) return 1 + retry.max;
  return result === 'lost' && nodeLoss === 'rerun' ? 1 + rerunsMax : 1;
}

/** The least time between the end of an attempt and the start of the next. */
function leastDelayMs(retry: RetryPolicy, attempt: number): number {
  const { backoff, delayMs, delayMsMax, jitter } = retry;
  const whole = Math.min(delayMsMax, backoff === 'fixed' ? delayMs : delayMs * 2 ** (attempt - 1));
  return jitter ? Math.floor(whole / 2) : whole;
}
