import { accuse, tickText } from '../accuse.ts';
import { type Evidence, policiesOf } from '../evidence.ts';
import type { Operation, SlotAudit } from '../history.ts';
import type { Step } from '../readTrails.ts';
import type { Violation } from '../violation.ts';

/**
 * C7, the cursor: it moves ahead only, with the claim that takes or passes its tick (P12). Two
 * things may set it otherwise: an operation on the job, and a launch that gives its tick back.
 */
export function checkCursors(evidence: Evidence): Violation[] {
  return evidence.trails.steps.flatMap((step) => {
    const { row } = step;
    const says = faultOf(row, isShared(evidence, row));
    if (says === null || isOperated(evidence, step) || isPausing(evidence, row)) return [];
    const { slotId, jobId, before, after } = row;
    const job = evidence.jobById.get(jobId)?.record.name ?? null;
    const moved = `${tickText(before.cursorDatabaseMs)} to ${tickText(after.cursorDatabaseMs)}`;
    return [
      accuse(evidence, {
        rule: 'C7',
        promise: 'P12',
        what: `The cursor of slot ${slotId} of job ${job} ${says}, from ${moved}.`,
        atMs: step.earliestMs,
        job,
        launchId: after.launchId ?? before.launchId,
      }),
    ];
  });
}

/** The slots of a job that runs several launches at once have one cursor, which goes on for all. */
function isShared({ jobById }: Evidence, { jobId }: SlotAudit): boolean {
  const revisions = jobById.get(jobId)?.record.revisions ?? [];
  return revisions.some(
    ({ definition }) => ((definition as { parallel?: number } | null)?.parallel ?? 1) > 1,
  );
}

function faultOf({ before, after }: SlotAudit, isSharing: boolean): string | null {
  const fromMs = before.cursorDatabaseMs;
  const toMs = after.cursorDatabaseMs;
  const tickMs = before.scheduledForDatabaseMs;
  if (after.state === 'prepare' && before.state === 'idle') {
    const takes = fromMs !== null && after.scheduledForDatabaseMs === fromMs;
    if (takes && toMs !== null && toMs <= fromMs) return 'stayed on the tick that was claimed';
    return isBehind(fromMs, toMs) ? 'went back in a claim' : null;
  }
  if (fromMs === toMs) return null;
  if (before.state === 'idle' && after.state === 'idle') {
    return isBehind(fromMs, toMs) ? 'went back' : null;
  }
  if (isSharing) return isBehind(fromMs, toMs) ? 'went back' : null;
  if (after.state !== 'idle') return 'moved while the slot was held';
  return toMs === tickMs ? null : 'was set to a tick that its launch did not give back';
}

/** A job that came to its limit pauses itself, and so all its slots, held or not. */
function isPausing({ jobById }: Evidence, { jobId, after }: SlotAudit): boolean {
  const job = jobById.get(jobId);
  if (job === undefined || after.cursorDatabaseMs !== null) return false;
  return job.record.revisions.some(({ paused, revision }) => {
    const { runsMax, failuresMax } = policiesOf(job, revision);
    return paused && (runsMax !== undefined || failuresMax !== undefined);
  });
}

/** No cursor at all is the end of the schedule: ahead of every tick. */
function isBehind(fromMs: number | null, toMs: number | null): boolean {
  return (toMs ?? Number.POSITIVE_INFINITY) < (fromMs ?? Number.POSITIVE_INFINITY);
}

/** An operation was under way; one of which nobody knows may be done as late as it likes. */
function isOperated({ jobById }: Evidence, { row, earliestMs, latestMs }: Step): boolean {
  const operations = jobById.get(row.jobId)?.operations ?? [];
  return operations.some(({ kind, outcome, invokedMs, answeredMs }: Operation) => {
    if (kind === 'stop' || outcome === 'fail' || invokedMs > latestMs + clockErrorMs) return false;
    const untilMs = outcome === 'ok' && answeredMs !== null ? answeredMs : Number.POSITIVE_INFINITY;
    return untilMs + clockErrorMs >= earliestMs;
  });
}

/** The database's clock is known by samples, which take a moment themselves. */
const clockErrorMs = 2;
