import { instantText } from '../rules/finding.ts';
import type { JobCheck } from '../rules/jobCheck.ts';
import type { RuleCode } from '../rules/verifyRules.ts';
import type { NamedTicks } from './namedTicks.ts';
import { type Gap, OpenGaps } from './openGaps.ts';

/** What accounts for a tick or for all ticks from the first to the last: a row or a slot. */
export interface TickAccount extends Gap {
  readonly ticks: number;
  /** How people find it. */
  readonly label: string;
}

/**
 * The proof of P19 for one cursor: every tick that the job's revisions name, from `sinceMs` on and
 * before the cursor, is accounted for exactly once. Accounts come in about the order of their
 * ticks: one at the frontier moves it on, one beyond it leaves a gap, one behind it fills a gap or
 * is a second one. So a history of any length needs no memory, and a range of any length no time.
 */
export class TickLedger {
  readonly #named: NamedTicks;
  readonly #check: JobCheck;
  readonly #sinceMs: number;
  readonly #gaps: OpenGaps;
  /** The next tick that nothing accounts for; null when all that are named are accounted for. */
  #expectedMs: number | null;
  /** The last tick that something accounts for. */
  lastMs = -Infinity;
  /** Ticks that were accounted for. */
  ticks = 0;

  constructor(check: JobCheck, named: NamedTicks, sinceMs: number) {
    this.#check = check;
    this.#named = named;
    this.#sinceMs = sinceMs;
    this.#expectedMs = named.next(sinceMs - 1);
    this.#gaps = new OpenGaps(named, (gap) => {
      const ticks = named.count(gap.fromMs, gap.untilMs);
      this.#report('tick_missing', `${ticksText(gap, ticks)} accounted for nowhere`, gap, ticks);
    });
  }

  take(account: TickAccount): void {
    const { fromMs, untilMs } = account;
    if (untilMs < this.#sinceMs) return;
    if (this.#named.isUnreadable(fromMs) || this.#named.isUnreadable(untilMs)) return;
    if (fromMs === untilMs) {
      if (account.ticks !== 1) this.#reportMiscounted(account, 1);
      this.#takeOne(fromMs, account);
      return;
    }
    for (const endMs of [fromMs, untilMs]) {
      if (!this.#named.names(endMs)) this.#reportUnnamed(endMs, account);
    }
    const inRange = this.#named.count(fromMs, untilMs);
    if (inRange !== account.ticks) this.#reportMiscounted(account, inRange);
    const firstMs = this.#named.next(Math.max(fromMs, this.#sinceMs) - 1);
    const lastMs = this.#named.last(untilMs);
    if (firstMs !== null && lastMs !== null && firstMs <= lastMs) {
      this.#takeNamed(firstMs, lastMs, account);
    }
  }

  /**
   * Ends the proof at the cursor: what is left before it is missing. Without a cursor it ends with
   * the last tick that the revisions name, at the latest now.
   */
  finish(cursorMs: number | null, nowMs: number): void {
    const endMs = cursorMs ?? nowMs + 1;
    if (this.#expectedMs !== null && this.#expectedMs < endMs) {
      const lastMs = this.#named.last(endMs - 1) ?? this.#expectedMs;
      this.#gaps.add(this.#expectedMs, lastMs);
    }
    this.#gaps.settleBefore(endMs);
  }

  #takeOne(tickMs: number, account: TickAccount): void {
    if (tickMs === this.#expectedMs) {
      this.#advance(tickMs);
      this.ticks += 1;
    } else if (this.#named.names(tickMs)) this.#takeNamed(tickMs, tickMs, account);
    else this.#reportUnnamed(tickMs, account);
  }

  /** Both ends are ticks. */
  #takeNamed(firstMs: number, lastMs: number, account: TickAccount): void {
    const expectedMs = this.#expectedMs;
    if (expectedMs === null || firstMs < expectedMs) this.#takeBehind(firstMs, lastMs, account);
    if (expectedMs === null || lastMs < expectedMs) return;
    const aheadMs = Math.max(firstMs, expectedMs);
    if (aheadMs > expectedMs) {
      this.#gaps.add(expectedMs, this.#named.last(aheadMs - 1) ?? expectedMs);
    }
    this.ticks += this.#named.count(aheadMs, lastMs);
    this.#advance(lastMs);
  }

  #takeBehind(firstMs: number, lastMs: number, account: TickAccount): void {
    const expectedMs = this.#expectedMs;
    const beforeMs = expectedMs === null ? lastMs : (this.#named.last(expectedMs - 1) ?? lastMs);
    const behindMs = Math.min(lastMs, beforeMs);
    const taken = this.#gaps.take(firstMs, behindMs);
    this.ticks += taken;
    this.lastMs = Math.max(this.lastMs, behindMs);
    const twice = this.#named.count(firstMs, behindMs) - taken;
    if (twice > 0 && !this.#gaps.isSettled(firstMs)) {
      const gap = { fromMs: firstMs, untilMs: behindMs };
      const second = `accounted for twice, the second time by ${account.label}`;
      this.#report('tick_twice', `${ticksText(gap, twice)} ${second}`, gap, twice);
    }
  }

  #advance(lastMs: number): void {
    this.lastMs = Math.max(this.lastMs, lastMs);
    this.#expectedMs = this.#named.next(lastMs);
  }

  #reportUnnamed(tickMs: number, { label }: TickAccount): void {
    const message = `${label} is for ${instantText(tickMs)}, which no revision names`;
    this.#check.report('tick_unnamed', message, { tickMs });
  }

  /** A range that says another number of ticks than there are in it. */
  #reportMiscounted(account: TickAccount, ticks: number): void {
    const { fromMs, untilMs, label } = account;
    const range = fromMs === untilMs ? instantText(fromMs) : rangeText(account);
    const message = `${label} counts ${account.ticks} ticks for ${range}; there are ${ticks}`;
    this.#report('range_miscounted', message, account, ticks);
  }

  #report(code: RuleCode, message: string, { fromMs, untilMs }: Gap, ticks: number): void {
    this.#check.report(code, message, { tickMs: fromMs, tickUntilMs: untilMs, ticks });
  }
}

function ticksText(gap: Gap, ticks: number): string {
  if (gap.fromMs === gap.untilMs) return `tick ${instantText(gap.fromMs)} is`;
  if (ticks === 1) return `one of the ticks ${rangeText(gap)} is`;
  return `${ticks} ticks, ${rangeText(gap)}, are`;
}

function rangeText({ fromMs, untilMs }: Gap): string {
  return `${instantText(fromMs)} to ${instantText(untilMs)}`;
}
