import { accuse } from '../accuse.ts';
import type { Evidence } from '../evidence.ts';
import type { ProcessRecord, RunRecord } from '../history.ts';
import type { LaunchTrail } from '../readTrails.ts';
import type { Violation } from '../violation.ts';

/**
 * C6, the launches: exactly one run row for each that was started (P10), which says what its child
 * did. A late result may have completed a `lost` row; then it must be right all the same.
 */
export function checkRunRows(evidence: Evidence): Violation[] {
  const { trails, runsByLaunch, processesByLaunch } = evidence;
  const launchIds = new Set([
    ...trails.launches.keys(),
    ...runsByLaunch.keys(),
    ...processesByLaunch.keys(),
  ]);
  return [...launchIds].flatMap((launchId) => {
    const trail = trails.launches.get(launchId) ?? null;
    const runs = runsByLaunch.get(launchId) ?? [];
    const [process] = processesByLaunch.get(launchId) ?? [];
    const found = faultOf(evidence, launchId, trail, runs, process ?? null);
    if (found === null) return [];
    // A row is written in the transaction that makes the slot idle.
    const atMs =
      trail?.idle?.earliestMs ??
      process?.endedMs ??
      process?.lastSeenMs ??
      instantOf(evidence, runs);
    const job = evidence.jobById.get(runs[0]?.jobId ?? -1)?.record.name ?? null;
    const { promise, what } = found;
    return [accuse(evidence, { rule: 'C6', promise, what, atMs, job, launchId })];
  });
}

interface Found {
  readonly promise: string;
  readonly what: string;
}

function faultOf(
  evidence: Evidence,
  launchId: string,
  trail: LaunchTrail | null,
  runs: readonly RunRecord[],
  process: ProcessRecord | null,
): Found | null {
  const [run] = runs;
  const broken = (what: string): Found => ({ promise: 'P10', what });
  if (runs.length > 1) return broken(`${launchId} has ${runs.length} run rows.`);
  if (run === undefined) {
    const isHeld = trail !== null && trail.idle === null && evidence.slotByLaunch.has(launchId);
    const isLate = (process?.startedMs ?? 0) >= evidence.history.about.readMs;
    const isStarted = (trail?.start ?? null) !== null || (process !== null && !isLate);
    if (!isStarted || isHeld) return null;
    return broken(`${launchId} was started, and no run row tells of it.`);
  }
  if (trail === null) return broken(`A run row tells of ${launchId}, which no slot ever held.`);
  if (trail.idle === null) return broken(`${launchId} has a run row and still holds its slot.`);
  if (trail.scheduledForDatabaseMs !== run.scheduledForDatabaseMs) {
    return broken(`The run row of ${launchId} tells another tick than its slot held.`);
  }
  // Children's ledgers end when the reading began; the tables were read a little later.
  if (trail.idle.latestMs >= evidence.history.about.readMs - readingMs) return null;
  return process === null ? checkWithoutChild(run, trail) : checkChild(run, process);
}

const readingMs = 1_000;

/** What only a child can have done needs one; a spawn that failed has no exit code. */
function checkWithoutChild(run: RunRecord, trail: LaunchTrail): Found | null {
  const { launchId, result, exitCode } = run;
  const tellsOfChild =
    result === 'succeeded' ||
    result === 'timed_out' ||
    (exitCode !== null && (result === 'failed' || result === 'stopped'));
  if (tellsOfChild) {
    const what = `The run row of ${launchId} says ${result}, but no child of it ever began.`;
    return { promise: 'P10', what };
  }
  const wasStarted = trail.start !== null;
  const saysStarted = run.startedDatabaseMs !== null;
  if (saysStarted === wasStarted) return null;
  const what = `The run row of ${launchId} says that it was ${saysStarted ? '' : 'not '}started.`;
  return { promise: 'P10', what };
}

function checkChild(run: RunRecord, process: ProcessRecord): Found | null {
  const { launchId, result, exitCode } = run;
  const { endedMs, exitCode: code } = process;
  if (result === 'not_started' || result === 'skipped' || result === 'missed') {
    const what = `The run row of ${launchId} says ${result}, but its child ran.`;
    return { promise: 'P4', what };
  }
  const broken = (says: string): Found => {
    return { promise: 'P10', what: `The run row of ${launchId} says ${result} ${says}.` };
  };
  const saysEnd = result === 'succeeded' || (result === 'failed' && exitCode !== null);
  if (saysEnd && endedMs === null) return broken('but its child never came to its end');
  if (result === 'succeeded' && code !== 0) return broken(`but its child ended with ${code}`);
  if (result === 'failed' && exitCode === 0) return broken('with exit code 0');
  const differs = exitCode !== null && endedMs !== null && code !== exitCode;
  return differs ? broken(`with exit code ${exitCode}, but its child ended with ${code}`) : null;
}

function instantOf({ clock, history }: Evidence, runs: readonly RunRecord[]): number {
  const [run] = runs;
  return run === undefined
    ? history.about.readMs
    : clock.firstReachedMs(run.endedDatabaseMs, history.about.startedMs);
}
