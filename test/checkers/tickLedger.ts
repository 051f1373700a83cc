import type { PendingRecord, RunRecord, SlotRecord } from './history.ts';
import { isTick } from './launchKinds.ts';
import type { NamedTicks } from './namedTicks.ts';

/** A tick, or a range of ticks, and what the history says became of it. Database's clock. */
export interface TickEntry {
  readonly fromMs: number;
  readonly untilMs: number;
  /**
   * `launch`: a run row of its own; `range`: ended without one; `held`: in the slot's hands;
   * `waiting`: for its turn, or for its next attempt.
   */
  readonly how: 'launch' | 'range' | 'held' | 'waiting' | 'nowhere';
  readonly run: RunRecord | null;
}

export interface LedgerFault {
  readonly tickMs: number;
  readonly says: string;
}

export interface TickLedger {
  /** In the order of their ticks. */
  readonly entries: readonly TickEntry[];
  readonly faults: readonly LedgerFault[];
}

/** What tells of the ticks of one cursor. */
export interface ToldTicks {
  readonly runs: readonly RunRecord[];
  readonly slots: readonly SlotRecord[];
  readonly pending: readonly PendingRecord[];
}

/** From when until when ticks are owed an account, by the database's clock. */
export interface LedgerSpan {
  /** Ticks before it are owed none: they were cleaned away, or their slot came later. */
  readonly fromMs: number;
  /** Null: nobody knows until when. */
  readonly nowMs: number | null;
}

/**
 * Promise P19 for one cursor: every tick that its revisions named while in force, up to where it
 * stands, is in exactly one final run row, inside the range of one, in a slot's hands, or waits.
 * Walks from entry to entry, so that a million missed ticks cost no more than one.
 */
export function keepTickLedger(
  named: NamedTicks,
  { runs, slots, pending }: ToldTicks,
  { fromMs, nowMs }: LedgerSpan,
): TickLedger {
  const told = [
    ...runs.flatMap(entryOfRun),
    ...slots.flatMap(entryOfSlot),
    ...pending.flatMap(entryOfPending),
  ].filter(({ untilMs }) => untilMs >= fromMs);
  told.sort((a, b) => a.fromMs - b.fromMs || a.untilMs - b.untilMs);
  const endMs = nowMs === null ? Number.NEGATIVE_INFINITY : passedUntil(named, slots, nowMs);
  const entries: TickEntry[] = [];
  const faults: LedgerFault[] = [];
  let passedMs = fromMs - 1;
  const pass = (beforeMs: number): void => {
    const missing = missingBetween(named, passedMs, Math.min(beforeMs, endMs));
    for (const { fromMs: tickMs } of missing) {
      faults.push({ tickMs, says: 'is accounted for nowhere' });
    }
    entries.push(...missing);
  };
  for (const entry of told) {
    if (entry.fromMs <= passedMs && entry.fromMs >= fromMs) {
      faults.push({ tickMs: entry.fromMs, says: 'is accounted for twice' });
    } else pass(entry.fromMs);
    faults.push(...checkEntry(named, entry));
    entries.push(entry);
    passedMs = Math.max(passedMs, entry.untilMs);
  }
  pass(Number.POSITIVE_INFINITY);
  return { entries, faults };
}

/** What was asked for is no tick; rows that are not final are followed by another of their tick. */
function entryOfRun(run: RunRecord): TickEntry[] {
  if (!isTick(run) || !run.isFinal) return [];
  const { scheduledForDatabaseMs: fromMs, scheduledUntilDatabaseMs: untilMs } = run;
  if (untilMs === null) return [{ fromMs, untilMs: fromMs, how: 'launch', run }];
  return [{ fromMs, untilMs, how: 'range', run }];
}

function entryOfSlot(slot: SlotRecord): TickEntry[] {
  const { scheduledForDatabaseMs: tickMs, state } = slot;
  if (state === 'idle' || tickMs === null || !isTick(slot)) return [];
  return [{ fromMs: tickMs, untilMs: tickMs, how: 'held', run: null }];
}

function entryOfPending(request: PendingRecord): TickEntry[] {
  const { scheduledForDatabaseMs: tickMs } = request;
  if (!isTick(request)) return [];
  return [{ fromMs: tickMs, untilMs: tickMs, how: 'waiting', run: null }];
}

/** Where the obligation ends: at the cursor; a job without one has passed all that there is. */
function passedUntil(named: NamedTicks, slots: readonly SlotRecord[], nowMs: number): number {
  const cursors = slots.flatMap(({ cursorDatabaseMs }) => cursorDatabaseMs ?? []);
  if (cursors.length > 0) return Math.min(...cursors);
  const lastMs = named.reigns.at(-1)?.untilMs ?? Number.NEGATIVE_INFINITY;
  return lastMs === Number.POSITIVE_INFINITY ? nowMs : lastMs;
}

function missingBetween(named: NamedTicks, afterMs: number, beforeMs: number): TickEntry[] {
  const missing: TickEntry[] = [];
  let tickMs = named.next(afterMs, beforeMs);
  while (tickMs !== null && missing.length < shownMax) {
    missing.push({ fromMs: tickMs, untilMs: tickMs, how: 'nowhere', run: null });
    tickMs = named.next(tickMs, beforeMs);
  }
  return missing;
}

/** A few examples tell as much as all of them. */
const shownMax = 5;

function checkEntry(named: NamedTicks, { fromMs, untilMs, how, run }: TickEntry): LedgerFault[] {
  if (named.reignOf(fromMs) === null) {
    return [{ tickMs: fromMs, says: 'is in the history, but no revision in force named it' }];
  }
  if (how !== 'range') {
    if (run === null || run.ticks === 1) return [];
    return [{ tickMs: fromMs, says: `counts as ${run.ticks} ticks, but is one` }];
  }
  const ticks = named.count(fromMs, untilMs);
  if (ticks === run?.ticks) return [];
  return [{ tickMs: fromMs, says: `begins a range that counts ${run?.ticks} ticks for ${ticks}` }];
}
