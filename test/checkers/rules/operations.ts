import { accuse, spanText, tickText } from '../accuse.ts';
import { type Evidence, endedMs } from '../evidence.ts';
import type { Operation, ProcessRecord } from '../history.ts';
import type { JobEvidence } from '../jobEvidence.ts';
import type { LaunchTrail } from '../readTrails.ts';
import { mayPauseItself } from '../runLimits.ts';
import type { Violation } from '../violation.ts';

/**
 * C9: what was acknowledged holds. After a pause, an edit or a removal nothing starts against it
 * (P14); what an answer promised is in the tables; no revision comes from nowhere; and what is
 * executing keeps its revision. An operation of which nobody knows may have happened or not.
 */
export function checkOperations(evidence: Evidence): Violation[] {
  return [
    ...evidence.jobs.flatMap((job) => [
      ...job.operations.flatMap((operation) => checkOperation(evidence, job, operation)),
      ...checkRevisions(evidence, job),
      ...checkKept(evidence, job),
    ]),
    ...checkUnheard(evidence),
  ];
}

function checkOperation(evidence: Evidence, job: JobEvidence, operation: Operation): Violation[] {
  const { kind, outcome, answeredMs, revision } = operation;
  if (outcome !== 'ok' || answeredMs === null || !changing.has(kind)) return [];
  const { record } = job;
  const broken = (what: string, atMs: number, launchId: string | null = null): Violation =>
    accuse(evidence, {
      rule: 'C9',
      promise: 'P14',
      what,
      atMs,
      job: record.name,
      launchId,
      timeline: tellOperation(operation),
    });
  const made = record.revisions.find((each) => each.revision === revision);
  const says = `Job ${record.name}: the ${kind} was acknowledged`;
  if (kind === 'remove' && endedMs(record) === null) {
    return [broken(`${says}, but the job is still there.`, answeredMs)];
  }
  if (kind !== 'remove' && revision !== null && made === undefined) {
    return [broken(`${says} as revision ${revision}, which is not there.`, answeredMs)];
  }
  const isPaused = kind === 'pause' ? true : kind === 'resume' ? false : made?.paused;
  if (made !== undefined && kind !== 'remove' && made.paused !== isPaused) {
    return [broken(`${says}, but revision ${revision} says otherwise.`, answeredMs)];
  }
  const starts = job.launches
    .filter((launch) => startsAgainst(launch, operation, answeredMs))
    .slice(0, shownMax)
    .map((launch) => {
      const startedMs = launch.start?.earliestMs ?? answeredMs;
      const { launchId } = launch;
      const late = spanText(startedMs - answeredMs);
      const what = `${says}, and ${launchId} of revision ${launch.revision} started ${late} later.`;
      return broken(what, startedMs, launchId);
    });
  if (starts.length > 0 || operation.executing !== 0) return starts;
  return job.processes
    .filter((process) => beginsAgainst(evidence, process, operation, answeredMs))
    .slice(0, shownMax)
    .map(({ launchId, startedMs }) => {
      const late = spanText(startedMs - answeredMs);
      const what = `${says} that no run goes on, and a child of ${launchId} began ${late} later.`;
      return broken(what, startedMs, launchId);
    });
}

/**
 * Where the answer says that no run goes on, no process of an earlier revision begins any more, by
 * the processes' own word. (Where runs go on, one may have been started and not be there yet.)
 */
function beginsAgainst(
  { trails }: Evidence,
  { launchId, startedMs }: ProcessRecord,
  { kind, revision }: Operation,
  answeredMs: number,
): boolean {
  if (startedMs <= answeredMs + clockErrorMs) return false;
  const own = trails.launches.get(launchId)?.revision ?? null;
  return kind === 'remove' || (revision !== null && own !== null && own < revision);
}

function startsAgainst(launch: LaunchTrail, operation: Operation, answeredMs: number): boolean {
  const { start, revision } = launch;
  if (start === null || start.earliestMs <= answeredMs + clockErrorMs) return false;
  if (operation.kind === 'remove') return true;
  return operation.revision !== null && revision !== null && revision < operation.revision;
}

const changing: ReadonlySet<string> = new Set(['add', 'edit', 'pause', 'resume', 'remove']);

/** Every revision but the first is of an operation that could have made it. */
function checkRevisions(evidence: Evidence, job: JobEvidence): Violation[] {
  const { clock } = evidence;
  const { revisions, name } = job.record;
  return revisions.slice(1).flatMap(({ revision, inForceFromDatabaseMs }) => {
    // The clock may have gone back while the operation was under way, and came to it again.
    const lastMs = clock.lastReachedMs(inForceFromDatabaseMs + clockErrorMs);
    const isMade = job.operations.some((operation) => {
      const { kind, outcome, invokedMs } = operation;
      if (outcome === 'fail' || !changing.has(kind)) return false;
      if (outcome === 'ok' && operation.revision !== null && operation.revision !== 0) {
        // Asked again after an unknown outcome, it may have found what others made since.
        const isEarlier = revision < operation.revision && invokedMs <= lastMs;
        return operation.revision === revision || isEarlier || kind === 'remove';
      }
      return invokedMs <= lastMs;
    });
    if (isMade || mayPauseItself(evidence, job, revision)) return [];
    return [
      accuse(evidence, {
        rule: 'C9',
        promise: 'P14',
        what: `Job ${name} has a revision ${revision} that no operation can have made.`,
        atMs: clock.firstReachedMs(inForceFromDatabaseMs, evidence.history.about.startedMs),
        job: name,
      }),
    ];
  });
}

/** What a launch was prepared with is what its child runs and what its run row tells. */
function checkKept(evidence: Evidence, job: JobEvidence): Violation[] {
  return job.launches.flatMap(({ launchId, revision, scheduledForDatabaseMs, ...trail }) => {
    const told = [
      ...(evidence.processesByLaunch.get(launchId) ?? []),
      ...(evidence.runsByLaunch.get(launchId) ?? []),
    ];
    const other = told.find((each) => each.revision !== null && each.revision !== revision);
    if (other === undefined) return [];
    const who = 'processId' in other ? 'its child ran' : 'its run row tells';
    return [
      accuse(evidence, {
        rule: 'C9',
        promise: 'P14',
        what:
          `${launchId} was prepared with revision ${revision} for ` +
          `${tickText(scheduledForDatabaseMs)}, and ${who} revision ${other.revision}.`,
        atMs: trail.start?.earliestMs ?? trail.claim.earliestMs,
        launchId,
      }),
    ];
  });
}

/** An acknowledged operation on a job of which no table knows. */
function checkUnheard(evidence: Evidence): Violation[] {
  const names = new Set(evidence.history.jobs.map(({ name }) => name));
  return evidence.history.operations.flatMap((operation) => {
    const { kind, job, outcome, answeredMs } = operation;
    if (outcome !== 'ok' || answeredMs === null || names.has(job)) return [];
    const what = `Job ${job}: the ${kind} was acknowledged, and no table knows the job.`;
    const timeline = tellOperation(operation);
    return [
      accuse(evidence, { rule: 'C9', promise: 'P14', what, atMs: answeredMs, job, timeline }),
    ];
  });
}

export function tellOperation(operation: Operation): { atMs: number; text: string }[] {
  const { kind, job, invokedMs, answeredMs, outcome } = operation;
  const asked = { atMs: invokedMs, text: `${kind} of job ${job} was asked for` };
  if (answeredMs === null) return [asked];
  return [asked, { atMs: answeredMs, text: `${kind} of job ${job} was answered: ${outcome}` }];
}

/** The database's clock is known by samples, which take a moment themselves. */
const clockErrorMs = 2;

/** A few counterexamples of one operation tell as much as all of them. */
const shownMax = 3;
