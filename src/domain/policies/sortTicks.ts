import type { JobPolicies } from '../job/jobPolicies.ts';
import { type Reason, reasons } from '../reasons/reasons.ts';
import { makeTickRange, type TickRange, type TickSource } from '../run/tickSource.ts';
import { onTimeMsMax, passMissed, trimBacklog, trimLate } from './passMissed.ts';
import { passOverlapped, replacesRun, waitingMax, whyNotQueued } from './passOverlapped.ts';

/** What of a job says which ticks are launched and which are not. */
export type ClaimPolicies = Pick<
  JobPolicies,
  'overlap' | 'misfire' | 'catchUpMs' | 'startDeadlineMs' | 'observed'
>;

/** What of a slot says which of its ticks were overlapped, and which nobody was there for. */
export interface SlotPast {
  /** The next tick that nobody has claimed, or null. */
  readonly cursorMs: number | null;
  /** When the last launch that executed started; null or absent: nobody noted it. */
  readonly startedMs?: number | null;
  /** When the slot's last launch ended, or null. */
  readonly endedMs: number | null;
  /** How many pending launches are ticks that wait their turn; absent: none. */
  readonly waiting?: number;
}

export interface TickToLaunch {
  readonly trigger: 'schedule' | 'misfire' | 'queue';
  readonly tickMs: number;
}

/**
 * `stays`: it remains where it is, as the cursor. `waits`: it becomes a pending launch itself.
 * `gives way`: it was to take the place of a run, and has missed its turn.
 */
export type WhenPassed = 'stays' | 'waits' | 'gives way';

/** Every tick up to now, sorted out. */
interface SortedTicks {
  /** Ticks that are to be launched now, or as soon as it is their turn; the oldest first. */
  readonly waiting: TickToLaunch[];
  /** The cursor after them. */
  readonly cursorMs: number | null;
  /** What becomes of the first of them when a pending launch goes before it. */
  readonly whenPassed: WhenPassed;
  readonly ranges: TickRange[];
}

/** Passes every tick up to now: each waits, or is in a range. */
export function sortTicks(
  slot: SlotPast,
  ticks: TickSource,
  nowMs: number,
  policies: ClaimPolicies,
): SortedTicks {
  const { overlap, startDeadlineMs } = policies;
  const ranges: TickRange[] = [];
  let waiting: TickToLaunch[] = [];
  let { cursorMs } = slot;
  let whenPassed: WhenPassed = 'waits';
  if (cursorMs !== null && overlap !== undefined) {
    const trimmed = trimLate(ticks, cursorMs, nowMs, startDeadlineMs);
    ranges.push(...trimmed.ranges);
    cursorMs = trimmed.fromMs;
  }
  if (cursorMs !== null && slot.endedMs !== null && slot.endedMs >= cursorMs) {
    const passed = passRun(ticks, cursorMs, slot.endedMs, overlap, slot.waiting);
    ranges.push(...passed.ranges);
    ({ waiting, cursorMs, whenPassed } = passed);
  }
  if (cursorMs === null || cursorMs > nowMs) return { waiting, cursorMs, whenPassed, ranges };

  const missed = passMissed(ticks, cursorMs, nowMs, policies);
  ranges.push(...missed.ranges);
  cursorMs = ticks.next(missed.lastMs);
  if (missed.isLaunched) {
    const trigger = missed.isMakeUp ? 'misfire' : 'schedule';
    const joined = join(waiting, { trigger, tickMs: missed.lastMs }, ticks, overlap, slot.waiting);
    waiting = joined.waiting;
    ranges.push(...joined.ranges);
    if (missed.isMakeUp) whenPassed = 'waits';
  }
  return { waiting, cursorMs, whenPassed, ranges };
}

/**
 * misfire: all. The cursor stays at the oldest tick that has not been launched, and those after it
 * wait their turn behind it, so that the overlap policy counts only once the backlog is over.
 */
export function sortInOrder(
  slot: SlotPast,
  ticks: TickSource,
  nowMs: number,
  policies: ClaimPolicies,
): SortedTicks {
  const { overlap } = policies;
  const { endedMs } = slot;
  const startedMs = slot.startedMs ?? Number.NEGATIVE_INFINITY;
  const whenPassed = 'stays';
  if (slot.cursorMs === null) return { waiting: [], cursorMs: null, whenPassed, ranges: [] };
  const trimmed = trimBacklog(ticks, slot.cursorMs, nowMs, policies);
  const { ranges } = trimmed;
  let cursorMs = trimmed.fromMs;
  const fromMs = cursorMs ?? Number.POSITIVE_INFINITY;
  const isOverlapped = fromMs >= startedMs && endedMs !== null && fromMs <= endedMs;
  const isQueued = isOverlapped && overlap === 'queue-all';
  if (isOverlapped && !isQueued) {
    const passed = passRun(ticks, fromMs, endedMs, overlap, slot.waiting);
    ranges.push(...passed.ranges);
    if (passed.waiting.length > 0) return { ...passed, ranges };
    cursorMs = passed.cursorMs;
  }
  if (cursorMs === null || cursorMs > nowMs) return { waiting: [], cursorMs, whenPassed, ranges };
  const tickMs = cursorMs;
  const nextMs = ticks.next(tickMs);
  const isMakeUp = nowMs - tickMs > onTimeMsMax || (nextMs !== null && nextMs <= nowMs);
  const late = isMakeUp ? 'misfire' : 'schedule';
  const first: TickToLaunch = { trigger: isQueued ? 'queue' : late, tickMs };
  return { waiting: [first], cursorMs: nextMs, whenPassed, ranges };
}

/** What becomes of the ticks that fell into the slot's last run. */
function passRun(
  ticks: TickSource,
  fromMs: number,
  endedMs: number,
  overlap: JobPolicies['overlap'],
  queued?: number,
): SortedTicks {
  const { waiting, ranges } = passOverlapped(ticks, fromMs, endedMs, overlap, queued);
  const trigger = overlap === 'queue' || overlap === 'queue-all' ? 'queue' : 'schedule';
  return {
    waiting: waiting.map((tickMs) => ({ trigger, tickMs })),
    cursorMs: ticks.next(endedMs),
    whenPassed: replacesRun(overlap) ? 'gives way' : 'waits',
    ranges,
  };
}

/** What was due a moment ago, or is made up for, comes behind what waits already. */
function join(
  waiting: TickToLaunch[],
  last: TickToLaunch,
  ticks: TickSource,
  overlap: JobPolicies['overlap'],
  queued = 0,
): Pick<SortedTicks, 'waiting' | 'ranges'> {
  const [before] = waiting;
  const skip = (tickMs: number, reason: Reason): TickRange[] => [
    makeTickRange('skipped', ticks, tickMs, tickMs, reason),
  ];
  if (replacesRun(overlap)) {
    return { waiting: [last], ranges: before ? skip(before.tickMs, reasons.laterTick) : [] };
  }
  const isAlone = waiting.length + queued === 0;
  if (overlap === undefined || isAlone || waiting.length + queued < waitingMax(overlap)) {
    return { waiting: [...waiting, last], ranges: [] };
  }
  return { waiting, ranges: skip(last.tickMs, whyNotQueued(overlap)) };
}
