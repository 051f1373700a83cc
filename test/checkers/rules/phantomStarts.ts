import { accuse, spanText, tickText } from '../accuse.ts';
import type { Evidence } from '../evidence.ts';
import type { ProcessRecord } from '../history.ts';
import type { JobEvidence } from '../jobEvidence.ts';
import { isTick } from '../launchKinds.ts';
import type { LaunchTrail } from '../readTrails.ts';
import type { Violation } from '../violation.ts';

/**
 * C2: no child without its reason. Its start was committed before it began, by its own session
 * (P4), and for a tick that a revision in force named, or for a launch that somebody asked for.
 */
export function checkPhantomStarts(evidence: Evidence): Violation[] {
  return evidence.history.processes.flatMap((process) => {
    const found = faultOf(evidence, process);
    if (found === null) return [];
    const { launchId, startedMs: atMs, job } = process;
    return [accuse(evidence, { rule: 'C2', atMs, job, launchId, ...found })];
  });
}

interface Found {
  readonly promise: string;
  readonly what: string;
}

function faultOf(evidence: Evidence, process: ProcessRecord): Found | null {
  const { launchId, startedMs, scheduledForDatabaseMs: tickMs } = process;
  const trail = evidence.trails.launches.get(launchId);
  // The tables are read from then on; they may not know it yet.
  if (startedMs >= evidence.history.about.readMs) return null;
  const who = `Process ${process.processId} of job ${process.job}`;
  if (trail === undefined) {
    return { promise: 'P4', what: `${who} ran as ${launchId}, which no slot ever held.` };
  }
  if (trail.start === null) {
    return { promise: 'P4', what: `${who} ran, but no start of ${launchId} was committed.` };
  }
  const aheadMs = trail.start.earliestMs - startedMs;
  if (aheadMs > clockErrorMs) {
    const what = `${who} began ${spanText(aheadMs)} before its start was committed.`;
    return { promise: 'P4', what };
  }
  if (process.sessionId !== trail.sessionId) {
    const what = `${who} ran in session ${process.sessionId}, but ${trail.sessionId} claimed it.`;
    return { promise: 'P4', what };
  }
  if (tickMs !== trail.scheduledForDatabaseMs) {
    const what = `${who} was told ${tickText(tickMs)}; its slot held another.`;
    return { promise: 'P2', what };
  }
  return isAsked(evidence, process, trail)
    ? null
    : { promise: 'P5', what: `${who} ran for ${tickText(tickMs)}, which nobody had asked for.` };
}

function isAsked(evidence: Evidence, process: ProcessRecord, trail: LaunchTrail): boolean {
  const job = evidence.jobById.get(trail.jobId);
  if (job === undefined) return false;
  const slot = evidence.slotByLaunch.get(process.launchId);
  const cause = evidence.runsByLaunch.get(process.launchId)?.[0] ?? slot;
  const isNamed = job.named.reignOf(process.scheduledForDatabaseMs) !== null;
  if (cause === undefined) return isNamed || isRunAsked(job, process, null);
  if (isTick(cause)) return isNamed;
  if (cause.triggeredBy === 'chain') return isChained(job);
  return isRunAsked(job, process, cause.requestId ?? null);
}

/** Some revision of the job begins when another job ends. */
function isChained({ record }: JobEvidence): boolean {
  return record.revisions.some(
    ({ definition }) => (definition as { readonly after?: unknown } | null)?.after !== undefined,
  );
}

/** By an operation with the same request id, or one of which nobody knows what became. */
function isRunAsked(job: JobEvidence, process: ProcessRecord, requestId: string | null): boolean {
  return job.operations.some((operation) => {
    const { kind, outcome, invokedMs } = operation;
    if (!asking.has(kind) || outcome === 'fail' || invokedMs > process.startedMs) return false;
    return requestId === null || operation.requestId === null || operation.requestId === requestId;
  });
}

const asking: ReadonlySet<string> = new Set(['run', 'backfill', 'retry']);

/** The database's clock is known by samples, which take a moment themselves. */
const clockErrorMs = 2;
