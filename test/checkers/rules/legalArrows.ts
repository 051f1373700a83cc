import { arrows } from '../../../src/domain/run/arrows.ts';
import { accuse } from '../accuse.ts';
import type { Evidence } from '../evidence.ts';
import type { SlotAudit, SlotSnapshot } from '../history.ts';
import type { Step } from '../readTrails.ts';
import type { Violation } from '../violation.ts';

/**
 * C7, the arrows: only those of the design's table happen (P2), each row begins where the one
 * before it ended, what a launch was made of stays with it, and no launch or session id comes
 * twice (P9).
 */
export function checkLegalArrows(evidence: Evidence): Violation[] {
  const { trails } = evidence;
  const claimed = new Set<string>();
  const last = new Map<number, SlotSnapshot>();
  const slots = trails.steps.flatMap((step) => {
    const found = faultOf(evidence, step.row, last.get(step.row.slotId), claimed);
    last.set(step.row.slotId, step.row.after);
    return found === null ? [] : [charge(evidence, step, found)];
  });
  return [...slots, ...checkSessions(evidence)];
}

interface Found {
  readonly promise: string;
  readonly says: string;
}

function faultOf(
  evidence: Evidence,
  { before, after }: SlotAudit,
  last: SlotSnapshot | undefined,
  claimed: Set<string>,
): Found | null {
  const change = `${before.state} → ${after.state}`;
  if (last !== undefined && (last.state !== before.state || last.launchId !== before.launchId)) {
    return broken(`went ${change}, but was ${last.state} with ${last.launchId} before`);
  }
  if (before.state === after.state) {
    const isSame = sameLaunch(before, after);
    return isSame ? null : broken(`changed its launch while it stayed ${after.state}`);
  }
  if (!isArrow(before, after)) return broken(`went ${change}, which is no arrow`);
  if (after.state === 'idle') {
    const isClear = after.launchId === null && after.sessionId === null;
    return isClear ? null : broken('became idle and kept its launch', 'P3');
  }
  if (after.state === 'executing') {
    return sameLaunch(before, after) ? null : broken('was started as another launch');
  }
  const { launchId, sessionId } = after;
  if (launchId === null || sessionId === null || after.scheduledForDatabaseMs === null) {
    return broken('was prepared without a launch, a session or a tick', 'P3');
  }
  if (claimed.has(launchId)) return broken(`got ${launchId}, which was used before`, 'P9');
  claimed.add(launchId);
  if (!launchId.startsWith(`${sessionId}:`)) return broken(`got ${launchId} of another`, 'P9');
  const isKnown = evidence.trails.sessions.has(sessionId);
  return isKnown ? null : broken(`was claimed by ${sessionId}, which never joined`, 'P3');
}

function broken(says: string, promise = 'P2'): Found {
  return { promise, says };
}

function isArrow(before: SlotSnapshot, after: SlotSnapshot): boolean {
  return arrows.some(({ from, to }) => to === after.state && from.includes(before.state));
}

function sameLaunch(before: SlotSnapshot, after: SlotSnapshot): boolean {
  return (
    before.launchId === after.launchId &&
    before.sessionId === after.sessionId &&
    before.revision === after.revision &&
    before.scheduledForDatabaseMs === after.scheduledForDatabaseMs
  );
}

/** A session joins once, ends once, and never comes back. */
function checkSessions(evidence: Evidence): Violation[] {
  const state = new Map<string, 'live' | 'ended'>();
  return evidence.trails.sessionSteps.flatMap(({ row, earliestMs }) => {
    const { sessionId, before, after, node } = row;
    const known = state.get(sessionId);
    state.set(sessionId, after);
    const isReused = before === null && known !== undefined;
    const isRevived = after === 'live' && (before === 'ended' || known === 'ended');
    if (!isReused && !isRevived) return [];
    const what = `Session ${sessionId} of node ${node} came back after it had ${known ?? 'ended'}.`;
    return [accuse(evidence, { rule: 'C7', promise: 'P9', what, atMs: earliestMs })];
  });
}

function charge(
  evidence: Evidence,
  { row, earliestMs }: Step,
  { promise, says }: Found,
): Violation {
  const { slotId, jobId, before, after } = row;
  const job = evidence.jobById.get(jobId)?.record.name ?? null;
  return accuse(evidence, {
    rule: 'C7',
    promise,
    what: `Slot ${slotId} of job ${job} ${says}.`,
    atMs: earliestMs,
    job,
    launchId: after.launchId ?? before.launchId,
    launches: before.launchId === null ? [] : [before.launchId],
  });
}
