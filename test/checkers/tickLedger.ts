import type { RunRecord, SlotRecord } from './history.ts';
import type { NamedTicks } from './namedTicks.ts';

/** A tick, or a range of ticks, and what the history says became of it. Database's clock. */
export interface TickEntry {
  readonly fromMs: number;
  readonly untilMs: number;
  /** `launch`: a run row of its own; `range`: ended without one; `held`: in the slot's hands. */
  readonly how: 'launch' | 'range' | 'held' | 'nowhere';
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

/**
 * Promise P19 for one job: every tick that its revisions named while in force, up to where its
 * cursor stands, is in exactly one final run row, inside the range of one, or in the slot's hands.
 * Walks from entry to entry, so that a million missed ticks cost no more than one.
 * @param nowMs the database's clock at the last read.
 */
export function keepTickLedger(
  named: NamedTicks,
  runs: readonly RunRecord[],
  slots: readonly SlotRecord[],
  nowMs: number,
): TickLedger {
  const told = [...runs.flatMap(entryOfRun), ...slots.flatMap(entryOfSlot)];
  told.sort((a, b) => a.fromMs - b.fromMs || a.untilMs - b.untilMs);
  const endMs = passedUntil(named, slots, nowMs);
  const entries: TickEntry[] = [];
  const faults: LedgerFault[] = [];
  let passedMs = Number.NEGATIVE_INFINITY;
  const pass = (beforeMs: number): void => {
    const missing = missingBetween(named, passedMs, Math.min(beforeMs, endMs));
    for (const { fromMs: tickMs } of missing) {
      faults.push({ tickMs, says: 'is accounted for nowhere' });
    }
    entries.push(...missing);
  };
  for (const entry of told) {
    if (entry.fromMs <= passedMs) {
      faults.push({ tickMs: entry.fromMs, says: 'is accounted for twice' });
    } else pass(entry.fromMs);
    faults.push(...checkEntry(named, entry));
    entries.push(entry);
    passedMs = Math.max(passedMs, entry.untilMs);
  }
  pass(Number.POSITIVE_INFINITY);
  return { entries, faults };
}

/** Manual launches are no ticks; rows that are not final are followed by another of their tick. */
function entryOfRun(run: RunRecord): TickEntry[] {
  if (run.triggeredBy === 'manual' || !run.isFinal) return [];
  const { scheduledForDatabaseMs: fromMs, scheduledUntilDatabaseMs: untilMs } = run;
  if (untilMs === null) return [{ fromMs, untilMs: fromMs, how: 'launch', run }];
  return [{ fromMs, untilMs, how: 'range', run }];
}

function entryOfSlot(slot: SlotRecord): TickEntry[] {
  const { scheduledForDatabaseMs: tickMs, triggeredBy, state } = slot;
  if (state === 'idle' || tickMs === null || triggeredBy === 'manual') return [];
  return [{ fromMs: tickMs, untilMs: tickMs, how: 'held', run: null }];
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
  while (tickMs !== null && missing.length < toldMax) {
    missing.push({ fromMs: tickMs, untilMs: tickMs, how: 'nowhere', run: null });
    tickMs = named.next(tickMs, beforeMs);
  }
  return missing;
}

/** A few examples tell as much as all of them. */
const toldMax = 5;

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
