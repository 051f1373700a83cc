import type { JobPolicies } from '../../src/domain/job/jobPolicies.ts';
import { dealCursors } from './dealCursors.ts';
import { groupBy } from './groupBy.ts';
import type {
  History,
  JobRecord,
  Operation,
  ProcessRecord,
  RunRecord,
  SlotRecord,
} from './history.ts';
import { HostClock } from './hostClock.ts';
import type { CursorEvidence, JobEvidence } from './jobEvidence.ts';
import { isTick } from './launchKinds.ts';
import { NamedTicks } from './namedTicks.ts';
import { Outages } from './outages.ts';
import { type LaunchTrail, readTrails, type Trails } from './readTrails.ts';

/** A history, sorted once for all rules. */
export interface Evidence {
  readonly history: History;
  readonly clock: HostClock;
  readonly outages: Outages;
  readonly trails: Trails;
  readonly jobs: readonly JobEvidence[];
  readonly cursors: readonly CursorEvidence[];
  readonly jobById: ReadonlyMap<number, JobEvidence>;
  readonly processesByLaunch: ReadonlyMap<string, readonly ProcessRecord[]>;
  readonly runsByLaunch: ReadonlyMap<string, readonly RunRecord[]>;
  /** The slot that a launch held when the tables were read. */
  readonly slotByLaunch: ReadonlyMap<string, SlotRecord>;
  readonly nodeOf: (sessionId: string | null) => string | null;
  /** The job that a process, which knows no more than a name, belonged to. */
  readonly jobOfProcess: (process: ProcessRecord) => JobEvidence | null;
}

/** Sorts a history by jobs, launches, sessions and ticks. Judges nothing. */
export function gatherEvidence(history: History): Evidence {
  const clock = new HostClock(history.clock);
  const trails = readTrails(history, clock);
  const processesByLaunch = groupBy(history.processes, ({ launchId }) => launchId);
  const launched = history.runs.filter(({ launchId }) => launchId !== null);
  const runsByLaunch = groupBy(launched, ({ launchId }) => launchId ?? '');
  const slotByLaunch = new Map(
    history.slots.flatMap((slot) => (slot.launchId === null ? [] : [[slot.launchId, slot]])),
  );
  const jobsByName = groupBy(history.jobs, ({ name }) => name);
  const idOf = (process: ProcessRecord): number | null =>
    trails.launches.get(process.launchId)?.jobId ??
    jobsByName.get(process.job)?.at(-1)?.jobId ??
    null;
  const byJob = {
    launches: groupBy(trails.launches.values(), ({ jobId }) => jobId),
    processes: groupBy(history.processes, idOf),
    runs: groupBy(history.runs, ({ jobId }) => jobId),
    slots: groupBy(history.slots, ({ jobId }) => jobId),
    pending: groupBy(history.pending ?? [], ({ jobId }) => jobId),
    operations: operationsByJob(history, clock, jobsByName),
  };
  const nowMs = clock.databaseAt(history.about.readMs).earliestMs;
  const jobs = history.jobs.map((record): JobEvidence => {
    const { jobId } = record;
    const slots = byJob.slots.get(jobId) ?? [];
    const launches = byJob.launches.get(jobId) ?? [];
    return {
      record,
      named: new NamedTicks(record),
      launches,
      launchesByTick: groupBy(
        launches.filter((launch) => isOfTick(launch, runsByLaunch, slotByLaunch)),
        ({ scheduledForDatabaseMs }) => scheduledForDatabaseMs ?? Number.NaN,
      ),
      processes: byJob.processes.get(jobId) ?? [],
      runs: byJob.runs.get(jobId) ?? [],
      slots,
      pending: byJob.pending.get(jobId) ?? [],
      operations: byJob.operations.get(jobId) ?? [],
    };
  });
  const jobById = new Map(jobs.map((job) => [job.record.jobId, job]));
  return {
    history,
    clock,
    outages: new Outages(history),
    trails,
    jobs,
    cursors: jobs.flatMap((job) => dealCursors(job, trails, nowMs)),
    jobById,
    processesByLaunch,
    runsByLaunch,
    slotByLaunch,
    nodeOf: (sessionId) => trails.sessions.get(sessionId ?? '')?.node ?? null,
    jobOfProcess: (process) => jobById.get(idOf(process) ?? Number.NaN) ?? null,
  };
}

/** The definition that a launch ran under, or null when nobody kept it. */
export function definitionOf(
  job: JobEvidence | null | undefined,
  revision: number | null,
): Record<string, unknown> | null {
  const record = job?.record.revisions.find((each) => each.revision === revision);
  return (record?.definition as Record<string, unknown> | undefined) ?? null;
}

/** What a revision says of its launches; of one that nobody kept, nothing. */
export function policiesOf(
  job: JobEvidence | null | undefined,
  revision: number | null,
): JobPolicies & Record<string, unknown> {
  return (definitionOf(job, revision) ?? {}) as JobPolicies & Record<string, unknown>;
}

/** What no row and no slot tells the trigger of was put back, and was of a tick if it names one. */
function isOfTick(
  { launchId }: LaunchTrail,
  runsByLaunch: Evidence['runsByLaunch'],
  slotByLaunch: Evidence['slotByLaunch'],
): boolean {
  const [run] = runsByLaunch.get(launchId) ?? [];
  if (run !== undefined) return isTick(run);
  const slot = slotByLaunch.get(launchId);
  return slot === undefined || isTick(slot);
}

/**
 * A name is free again after a removal, so an operation is about the job of its name that was there
 * between its call and its answer. When there were two, nobody knows which: `info` for both.
 */
function operationsByJob(
  history: History,
  clock: HostClock,
  jobsByName: ReadonlyMap<string, readonly JobRecord[]>,
): Map<number, Operation[]> {
  const sorted = [...history.operations].sort((a, b) => a.invokedMs - b.invokedMs);
  const byJob = new Map<number, Operation[]>();
  for (const operation of sorted) {
    const answeredMs = operation.outcome === 'ok' ? operation.answeredMs : null;
    const untilMs = (answeredMs ?? history.about.readMs) + 1;
    const fromMs = operation.invokedMs - 1;
    const jobs = jobsByName.get(operation.job) ?? [];
    // By the boot clock: the database's may have been stepped back between a job and its change.
    const there = jobs.filter((job) => {
      const removedMs = endedMs(job);
      return (
        clock.firstReachedMs(bornMs(job)) <= untilMs &&
        (removedMs === null || clock.lastReachedMs(removedMs) >= fromMs) &&
        (operation.kind !== 'add' || clock.lastReachedMs(bornMs(job)) >= fromMs)
      );
    });
    const isClear = there.length === 1;
    for (const { jobId } of there) {
      const operations = byJob.get(jobId) ?? [];
      operations.push(isClear ? operation : { ...operation, outcome: 'info' });
      byJob.set(jobId, operations);
    }
  }
  return byJob;
}

/** When a removal closed a job's last revision, by the database's clock, or null. */
export function endedMs({ revisions }: JobRecord): number | null {
  return revisions.at(-1)?.inForceUntilDatabaseMs ?? null;
}

function bornMs({ revisions }: JobRecord): number {
  return revisions[0]?.inForceFromDatabaseMs ?? Number.NEGATIVE_INFINITY;
}
