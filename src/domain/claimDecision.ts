import type { Trigger } from './run.ts';

/** The part of a schedule that a claim asks for; `src/domain/schedule` has the whole. */
export interface TickSource {
  /** The first tick strictly after the instant, or null. */
  next(afterMs: number): number | null;
  /** The last tick at or before the instant, or null. */
  lastAtOrBefore(atMs: number): number | null;
  /** How many ticks stand in [fromMs, untilMs], both included; bounded cost whatever the number. */
  count(fromMs: number, untilMs: number): number;
}

export interface ClaimableSlot {
  /** The next tick that nobody has claimed, or null. */
  cursorMs: number | null;
  /** When the slot's last launch ended, or null. */
  endedMs: number | null;
  /** The earliest pending launch that is due, or null. */
  pending: {
    trigger: Trigger;
    scheduledForMs: number;
    attempt: number;
    notBeforeMs: number;
  } | null;
}

/** A tick, or a run of ticks, that ends without a launch: one history row. */
export interface TickRange {
  result: 'skipped' | 'missed';
  fromMs: number;
  untilMs: number;
  ticks: number;
  reason: string;
}

export interface ClaimDecision {
  /** Null: nothing is to be launched yet, only the cursor moves past the ranges. */
  launch: {
    trigger: Trigger;
    scheduledForMs: number;
    attempt: number;
    fromPending: boolean;
  } | null;
  cursorMs: number | null;
  ranges: TickRange[];
}

/**
 * What a claim takes, and how it accounts for every tick that the cursor passes (P19). The earlier
 * of cursor and pending wins. Ticks that fell while the slot's last launch was executing are
 * `skipped` (overlap: skip). Of ticks that nobody was there for, the last is launched as the one
 * make-up and the others are one `missed` range (misfire: once), whatever their number (P12).
 */
export function decideClaim(slot: ClaimableSlot, ticks: TickSource, nowMs: number): ClaimDecision {
  const { cursorMs, pending } = slot;
  const ranges: TickRange[] = [];
  let firstMs: number | null = cursorMs;
  if (cursorMs !== null && slot.endedMs !== null && slot.endedMs >= cursorMs) {
    const untilMs = lastNotBefore(ticks, cursorMs, slot.endedMs);
    ranges.push(makeRange('skipped', ticks, cursorMs, untilMs, 'the last run was still going'));
    firstMs = ticks.next(slot.endedMs);
  }
  // A make-up goes first: a pending run before it would look like the reason for the missed ticks.
  const isAhead = firstMs === null || firstMs > nowMs;
  if (pending !== null && isAhead && (firstMs === null || pending.notBeforeMs <= firstMs)) {
    return { launch: { ...pickLaunch(pending), fromPending: true }, cursorMs: firstMs, ranges };
  }
  if (firstMs === null) return { launch: null, cursorMs: null, ranges };

  const tickMs = firstMs > nowMs ? firstMs : lastNotBefore(ticks, firstMs, nowMs);
  if (tickMs > firstMs) {
    const untilMs = ticks.lastAtOrBefore(tickMs - 1) ?? firstMs;
    ranges.push(
      makeRange('missed', ticks, firstMs, Math.max(firstMs, untilMs), 'no node was there for it'),
    );
  }
  const trigger = tickMs > firstMs ? 'misfire' : 'schedule';
  const launch = { trigger, scheduledForMs: tickMs, attempt: 1, fromPending: false } as const;
  return { launch, cursorMs: ticks.next(tickMs), ranges };
}

function pickLaunch(pending: { trigger: Trigger; scheduledForMs: number; attempt: number }) {
  const { trigger, scheduledForMs, attempt } = pending;
  return { trigger, scheduledForMs, attempt };
}

/** The cursor may stand on a kept tick of an older revision, which the schedule no longer names. */
function lastNotBefore(ticks: TickSource, cursorMs: number, atMs: number): number {
  return Math.max(cursorMs, ticks.lastAtOrBefore(atMs) ?? cursorMs);
}

function makeRange(
  result: TickRange['result'],
  ticks: TickSource,
  fromMs: number,
  untilMs: number,
  reason: string,
): TickRange {
  const named = ticks.count(fromMs, untilMs);
  const kept = ticks.lastAtOrBefore(fromMs) === fromMs ? 0 : 1;
  return { result, fromMs, untilMs, ticks: named + kept, reason };
}
