import { accuse, spanText } from '../accuse.ts';
import { definitionOf, type Evidence, policiesOf } from '../evidence.ts';
import type { LaunchTrail } from '../readTrails.ts';
import type { Violation } from '../violation.ts';
import { aliveUntil } from './overlaps.ts';

/**
 * C8: nothing stays in hands that do not act (P11). What an ended session held is free within the
 * recovery bound, and so is a launch whose child is gone or never was; outages put the bound off.
 * At the end, after the heal, no slot is held by a session that is not live, nor by none (P3).
 */
export function checkDeadHands(evidence: Evidence): Violation[] {
  const held = [...evidence.trails.launches.values()].flatMap((trail) => {
    const found = faultOf(evidence, trail);
    return found === null ? [] : [charge(evidence, trail, found)];
  });
  return [...held, ...checkUnknown(evidence)];
}

interface Found {
  readonly promise: string;
  readonly deadlineMs: number;
  readonly says: string;
}

function faultOf(evidence: Evidence, trail: LaunchTrail): Found | null {
  const { outages, trails, history } = evidence;
  const freedMs = trail.idle?.earliestMs ?? history.about.readMs;
  const ended = trails.sessions.get(trail.sessionId ?? '')?.ended ?? null;
  if (ended !== null && ended.row.order < (trail.idle?.row.order ?? Infinity)) {
    const sinceMs = Math.max(ended.latestMs, trail.claim.latestMs);
    const deadlineMs = outages.deadlineMs(sinceMs, outages.boundMs);
    if (freedMs > deadlineMs) return { promise: 'P11', deadlineMs, says: 'its session had ended' };
    return null;
  }
  const idleHands = idleSince(evidence, trail);
  if (idleHands === null || freedMs <= idleHands.sinceMs) return null;
  const deadlineMs = allowedUntil(evidence, trail, idleHands.sinceMs, freedMs);
  return freedMs > deadlineMs ? { promise: 'P11', deadlineMs, says: idleHands.says } : null;
}

/** From when on a live session did nothing with what it held. */
function idleSince(
  evidence: Evidence,
  trail: LaunchTrail,
): { readonly sinceMs: number; readonly says: string } | null {
  const { clock, processesByLaunch, jobById, history } = evidence;
  if (trail.start === null) {
    const tickMs = trail.scheduledForDatabaseMs ?? trail.claim.row.databaseMs;
    const dueMs = clock.firstReachedMs(tickMs, trail.claim.latestMs);
    const aheadMs = startsLater(evidence, trail);
    // Others may take it after ten seconds, and the step back of a clock puts the tick off.
    const sinceMs = Math.max(dueMs, clock.lastReachedMs(tickMs)) + overdueMs + aheadMs;
    return { sinceMs, says: 'its tick had come and it was not started' };
  }
  const processes = processesByLaunch.get(trail.launchId) ?? [];
  const definition = definitionOf(jobById.get(trail.jobId), trail.revision);
  if (definition !== null && (definition.leftovers ?? 'kill') !== 'kill') return null;
  const graceMs = Number(definition?.graceMs ?? 0);
  if (processes.length === 0) {
    const hasRow = evidence.runsByLaunch.has(trail.launchId);
    // One whose child never wrote a line was not there, or its row tells what came of it.
    if (hasRow && trail.idle !== null) return null;
    return { sinceMs: trail.start.latestMs + graceMs, says: 'no child of it was ever seen' };
  }
  const goneMs = Math.max(...processes.map(aliveUntil));
  const isAlive = goneMs + seenEveryMs >= history.about.readMs && trail.idle === null;
  return isAlive ? null : { sinceMs: goneMs + graceMs, says: 'its child was gone' };
}

/** By how much a launch may have to wait after its tick: a splay, or the delay of an attempt. */
function startsLater({ jobById, history }: Evidence, trail: LaunchTrail): number {
  const { splayMs = 0, retry } = policiesOf(jobById.get(trail.jobId), trail.revision);
  // An attempt is claimed so far ahead of its time, whenever its tick was.
  return Math.max(splayMs, retry === undefined ? 0 : history.about.horizonMs);
}

/** A stopped node is late with what it holds until it goes on, or others may take it. */
function allowedUntil(
  evidence: Evidence,
  trail: LaunchTrail,
  sinceMs: number,
  freedMs: number,
): number {
  const { outages, nodeOf } = evidence;
  const deadlineMs = outages.deadlineMs(sinceMs, outages.boundMs);
  const node = nodeOf(trail.sessionId);
  const span = { fromMs: sinceMs, untilMs: Math.min(freedMs, deadlineMs) };
  const stoppedMs = node === null ? null : outages.stoppedUntilMs(node, span);
  return stoppedMs === null
    ? deadlineMs
    : Math.max(deadlineMs, outages.deadlineMs(stoppedMs, outages.boundMs));
}

function charge(evidence: Evidence, trail: LaunchTrail, found: Found): Violation {
  const freedMs = trail.idle?.earliestMs ?? evidence.history.about.readMs;
  const still = trail.idle === null ? 'is still held' : 'was still held';
  const lateMs = freedMs - found.deadlineMs;
  return accuse(evidence, {
    rule: 'C8',
    promise: found.promise,
    what:
      `Slot ${trail.slotId} ${still} by ${trail.launchId} ${spanText(lateMs)} after the recovery ` +
      `bound, though ${found.says}.`,
    atMs: found.deadlineMs,
    launchId: trail.launchId,
    timeline: [{ atMs: found.deadlineMs, text: 'the slot had to be idle by here' }],
  });
}

/** P3, and the state at the end as the tables tell it, whatever the audit says. */
function checkUnknown(evidence: Evidence): Violation[] {
  const { history, outages, jobById } = evidence;
  const { healedMs, readMs } = history.about;
  const states = new Map(history.sessions.map(({ sessionId, state }) => [sessionId, state]));
  const isSettled = readMs >= outages.deadlineMs(healedMs, outages.boundMs);
  return history.slots.flatMap((slot) => {
    const { state, launchId, sessionId, slotId, jobId } = slot;
    const holder = states.get(sessionId ?? '');
    const isFine = state === 'idle' || holder === 'live' || (holder === 'ended' && !isSettled);
    if (isFine) return [];
    const says = holder === undefined ? 'that no row tells of' : 'that has ended';
    return [
      accuse(evidence, {
        rule: 'C8',
        promise: holder === undefined ? 'P3' : 'P11',
        what: `At the end slot ${slotId} is ${state} for session ${sessionId}, ${says}.`,
        atMs: readMs,
        job: jobById.get(jobId)?.record.name ?? null,
        launchId,
      }),
    ];
  });
}

/** Anybody may take a prepared slot back when its tick is so long over. */
const overdueMs = 10_000;

/** Children write a sign of life every 50 ms; a busy machine may hold one back. */
const seenEveryMs = 2_000;
