import type { RetryPolicy } from '../jobPolicies.ts';
import { type FindingLog, instantText } from './finding.ts';
import {
  attemptsKey,
  isTickLaunch,
  type JobRecord,
  type PendingRecord,
  type RevisionTerms,
  type RunRecord,
  runLabel,
} from './records.ts';

/** What an attempt's row tells, and what its revision says of further ones. */
export interface AttemptRow extends RunRecord {
  readonly terms: RevisionTerms | null;
  /** The revision was still in force when the attempt ended. */
  readonly isInForce: boolean;
  /** Its session has ended, so that its result may have been told late. */
  readonly isSessionOver: boolean;
}

interface Chain {
  readonly last: AttemptRow;
  /** Attempts that were lost with their node. */
  readonly losses: number;
}

/**
 * The attempts of one tick, or of one request, in the order of their ends: numbered without a gap,
 * none after the one that is final, none sooner or more often than the policy has it, and none left
 * open. Only those that wait for another are remembered, and of these so many.
 */
export class Attempts {
  readonly #job: JobRecord;
  readonly #sinceMs: number;
  readonly #clockSlackMs: number;
  readonly #log: FindingLog;
  readonly #open = new Map<string, Chain>();
  /** Some were forgotten, so that an attempt without the one before it tells nothing. */
  #hasForgotten = false;

  constructor(job: JobRecord, sinceMs: number, clockSlackMs: number, log: FindingLog) {
    this.#job = job;
    this.#sinceMs = sinceMs;
    this.#clockSlackMs = clockSlackMs;
    this.#log = log;
  }

  take(row: AttemptRow): void {
    // A range has no attempts, and what it tells of is told by the ledger.
    if (row.scheduledUntilMs !== null && row.scheduledUntilMs > row.scheduledForMs) return;
    const key = attemptsKey(row);
    const chain = this.#open.get(key);
    if (row.launchId !== null) this.#checkNumber(row, chain);
    if (row.startedMs !== null && chain !== undefined) this.#checkDelay(row, chain.last);
    if (row.isFinal) this.#checkLast(row);
    else this.#checkOpen(row);
    this.#open.delete(key);
    if (row.isFinal) return;
    const losses = (chain?.losses ?? 0) + (row.result === 'lost' ? 1 : 0);
    this.#open.set(key, { last: row, losses });
    if (this.#open.size <= openMax) return;
    for (const oldest of this.#open.keys()) {
      this.#open.delete(oldest);
      this.#hasForgotten = true;
      break;
    }
  }

  /** What waits or is held goes on with what its last attempt left. */
  goesOn(launch: Parameters<typeof attemptsKey>[0] & Pick<PendingRecord, 'attempt'>): void {
    this.#open.delete(attemptsKey(launch));
  }

  /** What is left open has no further attempt; of ticks the ledger says so. */
  finish(): void {
    for (const { last } of this.#open.values()) {
      if (isTickLaunch(last)) continue;
      const message = `${runLabel(last)}, attempt ${last.attempt}, is not the last, and none follows`;
      this.#say('attempt_open', message, last);
    }
  }

  #checkNumber(row: AttemptRow, chain: Chain | undefined): void {
    const { attempt, launchId } = row;
    if (chain === undefined) {
      const isFirst = attempt === 1 || !isTickLaunch(row) || this.#hasForgotten;
      if (isFirst || row.scheduledForMs < this.#sinceMs) return;
      const message = `${runLabel(row)} is attempt ${attempt}, and none before it waited for another`;
      this.#say('attempt_gap', message, row);
      return;
    }
    // What was never spawned is the same attempt again.
    const before = chain.last.attempt;
    const wanted = chain.last.result === 'not_started' ? before : before + 1;
    if (attempt !== wanted && launchId !== null) {
      const message = `${runLabel(row)} is attempt ${attempt}, and ${wanted} was to come`;
      this.#say('attempt_gap', message, row);
      return;
    }
    const most = attemptsMax(chain.last.terms, chain.losses);
    if (attempt > most) {
      const message = `${runLabel(row)} is attempt ${attempt}, and ${most} are allowed`;
      this.#say('attempt_beyond', message, row);
    }
  }

  #checkDelay(row: AttemptRow, last: AttemptRow): void {
    const retry = last.terms?.retry;
    if (retry === undefined || !causeOf(retry, last.result)) return;
    const leastMs = leastDelayMs(retry, last.attempt);
    const waitedMs = (row.startedMs ?? 0) - last.endedMs;
    // A late result says when its host saw the end, and the wait began when it was called lost.
    if (last.isSessionOver || waitedMs >= leastMs - this.#clockSlackMs) return;
    const message =
      `${runLabel(row)} started ${waitedMs} ms after ${runLabel(last)} ended, ` +
      `and ${leastMs} ms were to be between them`;
    this.#say('attempt_early', message, row);
  }

  /** The final row of what may have had another attempt. */
  #checkLast(row: AttemptRow): void {
    const retry = row.terms?.retry;
    if (retry === undefined || row.startedMs === null || row.launchId === null) return;
    const mayFollow = row.result === 'failed' || row.result === 'timed_out';
    if (!mayFollow || !row.isInForce || row.isSessionOver) return;
    if (!causeOf(retry, row.result) || row.attempt > retry.max) return;
    const message =
      `${runLabel(row)}, attempt ${row.attempt} of ${retry.max + 1}, ${row.result} at ` +
      `${instantText(row.endedMs)}, and is called the last`;
    this.#say('attempt_lacking', message, row);
  }

  #checkOpen(row: AttemptRow): void {
    const { terms, result } = row;
    if (result === 'not_started' || terms === null) return;
    const { nodeLoss, retry } = terms;
    // A lost attempt that is followed may tell late how it ended all the same.
    const follows = nodeLoss === 'rerun' || retry?.on.includes('node-loss') === true;
    if (follows && row.isSessionOver) return;
    const isRerun = nodeLoss === 'rerun' && result === 'lost';
    if (isRerun || (retry !== undefined && causeOf(retry, result))) return;
    const message = `${runLabel(row)} ${result}, and another attempt is to follow`;
    this.#say('attempt_unasked', message, row);
  }

  #say(code: Parameters<FindingLog['add']>[0], message: string, row: AttemptRow): void {
    const { scheduledForMs: tickMs, launchId } = row;
    this.#log.add(code, this.#job.name, message, { tickMs, launchId });
  }
}

/** Ticks that wait for their next attempt are few at a time. */
const openMax = 10_000;

/** Whether the policy has another attempt follow such an end. */
function causeOf({ on }: RetryPolicy, result: string): boolean {
  if (result === 'failed') return on.includes('failure');
  if (result === 'timed_out') return on.includes('timeout');
  return result === 'lost' && on.includes('node-loss');
}

/** How many attempts there may be, those besides that a lost node costs included. */
function attemptsMax(terms: RevisionTerms | null, losses: number): number {
  if (terms === null) return Number.POSITIVE_INFINITY;
  return 1 + (terms.retry?.max ?? 0) + (terms.nodeLoss === 'rerun' ? losses : 0);
}

/** The least time between the end of an attempt and the start of the next. */
function leastDelayMs(retry: RetryPolicy, attempt: number): number {
  const { backoff, delayMs, delayMsMax, jitter } = retry;
  const whole = backoff === 'fixed' ? delayMs : Math.min(delayMsMax, delayMs * 2 ** (attempt - 1));
  return jitter ? Math.floor(whole / 2) : whole;
}
