import { accuse, spanText } from '../accuse.ts';
import { definitionOf, type Evidence } from '../evidence.ts';
import { groupBy } from '../groupBy.ts';
import type { ProcessRecord } from '../history.ts';
import type { Violation } from '../violation.ts';

/**
 * C4: the process trees of two launches of one slot never live at once (P6). Truth is what the
 * processes and their descendants wrote, each by the one boot clock; a millisecond is too much.
 */
export function checkOverlaps(evidence: Evidence): Violation[] {
  const slotOf = ({ launchId, job }: ProcessRecord): number | string =>
    evidence.trails.launches.get(launchId)?.slotId ?? job;
  return [...groupBy(evidence.history.processes, slotOf).values()].flatMap((processes) => {
    const inOrder = [...processes].sort((a, b) => a.startedMs - b.startedMs);
    let longest: ProcessRecord | null = null;
    const violations: Violation[] = [];
    for (const process of inOrder) {
      const overlapMs = longest === null ? 0 : aliveUntil(longest) - process.startedMs;
      if (longest !== null && overlapMs > 0) {
        violations.push(chargeOverlap(evidence, longest, process, overlapMs));
      }
      const isLonger = longest === null || aliveUntil(process) > aliveUntil(longest);
      if (isLonger && !givesUpOverlap(evidence, process)) longest = process;
    }
    return violations;
  });
}

/** Until when a process, or anything that it left behind, was seen alive. */
export function aliveUntil({ startedMs, endedMs, lastSeenMs }: ProcessRecord): number {
  return Math.max(startedMs, endedMs ?? startedMs, lastSeenMs);
}

/** Two settings leave processes alone by the operator's will, and say that P6 is given up. */
export function givesUpOverlap(evidence: Evidence, process: ProcessRecord): boolean {
  const job = evidence.jobOfProcess(process);
  const trail = evidence.trails.launches.get(process.launchId);
  const definition = definitionOf(job, trail?.revision ?? process.revision);
  return definition?.leftovers === 'leave' || definition?.onFence === 'finish';
}

function chargeOverlap(
  evidence: Evidence,
  first: ProcessRecord,
  second: ProcessRecord,
  overlapMs: number,
): Violation {
  const { job, launchId } = second;
  const livedMs = Math.min(overlapMs, aliveUntil(second) - second.startedMs);
  return accuse(evidence, {
    rule: 'C4',
    promise: 'P6',
    what:
      `Job ${job}: processes of ${first.launchId} (node ${first.node}) and ${launchId} ` +
      `(node ${second.node}) lived at once for ${spanText(Math.max(livedMs, 0))}.`,
    atMs: second.startedMs,
    job,
    launchId,
    launches: [first.launchId],
  });
}
