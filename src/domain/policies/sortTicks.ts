import type { JobPolicies } from '../job/jobPolicies.ts';
import { type Reason, reasons } from '../reasons/reasons.ts';
import { lastTickFrom, makeTickRange, type TickRange, type TickSource } from '../run/tickSource.ts';
import { onTimeMsMax, passMissed } from './passMissed.ts';
import { passOverlapped, waitingMax } from './passOverlapped.ts';
import { replacesRun } from './replacesRun.ts';
import { trimBacklog, trimLate } from './trimOld.ts';

/** What of a job says which ticks are launched and which are not. */
export type ClaimPolicies = Pick<
  JobPolicies,
  'overlap' | 'misfire' | 'catchUpMs' | 'startDeadlineMs'
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
  let cursorMs = slot.cursorMs;
  if (cursorMs !== null && overlap !== undefined) {
    const trimmed = trimLate(ticks, cursorMs, nowMs, startDeadlineMs);
    ranges.push(...trimmed.ranges);
    cursorMs = trimmed.fromMs;
  }
  let room = waitingMax(overlap) - (slot.waiting ?? 0);
  let whenPassed: WhenPassed = 'waits';
  if (cursorMs !== null && slot.endedMs !== null && slot.endedMs >= cursorMs) {
    const untilMs = lastTickFrom(ticks, cursorMs, slot.endedMs);
    const passed = passOverlapped(ticks, { fromMs: cursorMs, untilMs }, overlap, room);
    ranges.push(...passed.ranges);
    waiting = passed.waiting.map((tickMs) => ({ trigger: triggerOf(overlap), tickMs }));
    whenPassed = passedWhere(overlap);
    room -= waiting.length;
    cursorMs = ticks.next(slot.endedMs);
  }
  if (cursorMs === null || cursorMs > nowMs) return { waiting, cursorMs, whenPassed, ranges };

  const missed = passMissed(ticks, cursorMs, nowMs, policies);
  ranges.push(...missed.ranges);
  cursorMs = ticks.next(missed.lastMs);
  if (missed.isLaunched) {
    const trigger = missed.isMakeUp ? 'misfire' : 'schedule';
    const last = { trigger, tickMs: missed.lastMs } as const;
    const joined = join(waiting, last, ticks, overlap, { room, queued: slot.waiting ?? 0 });
    waiting = joined.waiting;
    ranges.push(...joined.ranges);
    if (missed.isMakeUp) whenPassed = 'waits';
  }
  return { waiting, cursorMs, whenPassed, ranges };
}

/**
 * misfire: all. The cursor stays at the oldest tick that has not been launched, and those after it
 * wait their turn behind it, so that the overlap policy is asked only once the backlog is over.
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
    const untilMs = lastTickFrom(ticks, fromMs, endedMs);
    const room = waitingMax(overlap) - (slot.waiting ?? 0);
    const passed = passOverlapped(ticks, { fromMs, untilMs }, overlap, room);
    ranges.push(...passed.ranges);
    const waiting = passed.waiting.map((tickMs) => ({ trigger: triggerOf(overlap), tickMs }));
    cursorMs = ticks.next(endedMs);
    if (waiting.length > 0) {
      return { waiting, cursorMs, whenPassed: passedWhere(overlap), ranges };
    }
  }
  if (cursorMs === null || cursorMs > nowMs) return { waiting: [], cursorMs, whenPassed, ranges };
  const tickMs = cursorMs;
  const nextMs = ticks.next(tickMs);
  const isMakeUp = nowMs - tickMs > onTimeMsMax || (nextMs !== null && nextMs <= nowMs);
  const late = isMakeUp ? 'misfire' : 'schedule';
  const first: TickToLaunch = { trigger: isQueued ? 'queue' : late, tickMs };
  return { waiting: [first], cursorMs: nextMs, whenPassed, ranges };
}

/** What was due a moment ago, or is made up for, comes behind what waits already. */
function join(
  waiting: TickToLaunch[],
  last: TickToLaunch,
  ticks: TickSource,
  overlap: JobPolicies['overlap'],
  { room, queued }: { room: number; queued: number },
): { waiting: TickToLaunch[]; ranges: TickRange[] } {
  const skip = (tickMs: number, reason: Reason): TickRange =>
    makeTickRange('skipped', ticks, { fromMs: tickMs, untilMs: tickMs }, reason);
  const [before] = waiting;
  if (replacesRun(overlap)) {
    const ranges = before === undefined ? [] : [skip(before.tickMs, reasons.laterTick)];
    return { waiting: [last], ranges };
  }
  if (before === undefined && queued === 0) return { waiting: [last], ranges: [] };
  if (overlap === undefined || room > 0) return { waiting: [...waiting, last], ranges: [] };
  const reason = overlap === 'queue' ? reasons.oneWaits : reasons.queueIsFull;
  return { waiting, ranges: [skip(last.tickMs, reason)] };
}

/** What becomes of a tick that fell into a run. */
function passedWhere(overlap: JobPolicies['overlap']): WhenPassed {
  return replacesRun(overlap) ? 'gives way' : 'waits';
}

function triggerOf(overlap: JobPolicies['overlap']): TickToLaunch['trigger'] {
  return overlap === 'queue' || overlap === 'queue-all' ? 'queue' : 'schedule';
}
