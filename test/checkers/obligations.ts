import type { JobPolicies } from '../../src/domain/job/jobPolicies.ts';
import { splayOf } from '../../src/domain/policies/startAt.ts';
import { type Evidence, policiesOf } from './evidence.ts';
import type { Allowance, Excuse } from './excuse.ts';
import type { ProcessRecord, RunRecord } from './history.ts';
import type { CursorEvidence, JobEvidence } from './jobEvidence.ts';
import { isTick } from './launchKinds.ts';
import { latenessMs, touches } from './outages.ts';
import { excuseOfPolicies } from './policyExcuses.ts';
import type { LaunchTrail } from './readTrails.ts';
import type { TickEntry } from './tickLedger.ts';

/** A tick and whether it had to start. Times without `Database` are of the boot clock. */
export interface Obligation {
  readonly job: CursorEvidence;
  readonly tickDatabaseMs: number;
  /** When the database's clock first came to the tick while its revision was in force. */
  readonly dueMs: number;
  /** By how much its splay moves it: a start so much after `dueMs` is exactly in time. */
  readonly splayMs: number;
  /** The latest start that is not a broken promise; null: it need not start at all. */
  readonly untilMs: number | null;
  /** Why it may come late or not at all; null: it must start, and in time. */
  readonly excuse: string | null;
  /** The revision was made so shortly before that no scan could have seen it. */
  readonly isFresh: boolean;
  /** The tick whose start counts for it too: its make-up, or itself. */
  readonly startedAs: number;
  /** Its own start, as the child wrote it. */
  readonly process: ProcessRecord | null;
}

/** Every tick of a job with what was owed for it. Of a long range the first ticks and the last. */
export function oweTicks(
  evidence: Evidence,
  job: CursorEvidence,
  allowance: Allowance,
): Obligation[] {
  const { entries } = job.ledger;
  const processByTick = new Map<number, ProcessRecord>();
  for (const process of job.processes) {
    const tickMs = process.scheduledForDatabaseMs;
    const [run] = evidence.runsByLaunch.get(process.launchId) ?? [];
    if ((run !== undefined && !isTick(run)) || processByTick.has(tickMs)) continue;
    processByTick.set(tickMs, process);
  }
  const reigned = reignInstants(evidence, job);
  return entries.flatMap((entry, index) => {
    // A make-up may be missed itself, and made up for by a later one.
    const isMissed = (each: TickEntry) => each.run?.result === 'missed';
    const makeUp = isMissed(entry)
      ? entries.slice(index + 1).find((later) => !isMissed(later))
      : undefined;
    return ticksOf(job, entry).map((tickMs) =>
      owe(evidence, job, entry, {
        tickMs,
        startedAs: makeUp?.fromMs ?? tickMs,
        process: processByTick.get(tickMs) ?? null,
        reignMs: reigned(tickMs),
        allowance,
      }),
    );
  });
}

interface Tick {
  readonly tickMs: number;
  readonly startedAs: number;
  readonly process: ProcessRecord | null;
  readonly reignMs: number;
  readonly allowance: Allowance;
}

function owe(evidence: Evidence, job: CursorEvidence, entry: TickEntry, tick: Tick): Obligation {
  const { clock, history } = evidence;
  const { tickMs, reignMs, allowance } = tick;
  const dueMs = clock.firstReachedMs(tickMs, reignMs);
  // After a step back the same time comes again, and the tick may wait for that.
  const terms = policiesOf(job, job.named.reignOf(tickMs)?.revision ?? null);
  const lateMs = allowance.lateMs + (terms.splayMs ?? 0);
  const inTimeMs = Math.max(dueMs, clock.lastReachedMs(tickMs)) + lateMs;
  const excuse = excuseOf(evidence, job, entry, { ...tick, dueMs, inTimeMs, terms });
  // A frozen node may hold locks, until the database cuts it off.
  const anyMs = evidence.outages.anyStoppedUntilMs({ fromMs: dueMs, untilMs: inTimeMs });
  const lockedMs = anyMs === null ? 0 : history.about.lockWaitMs;
  const { scanPeriodMs, lockWaitMs, readMs } = history.about;
  const untilMs = excuse === null ? inTimeMs + lockedMs : excuse.untilMs;
  // Whether what may be so late comes, nobody knows who has read before.
  const isOpen = untilMs !== null && untilMs >= readMs;
  return {
    job,
    tickDatabaseMs: tickMs,
    dueMs,
    splayMs: splayOf({ name: job.record.name, ...terms }, tickMs),
    untilMs: isOpen ? null : untilMs,
    excuse: excuse?.why ?? (isOpen ? endsBefore : null),
    isFresh: dueMs - reignMs < scanPeriodMs + lockWaitMs + latenessMs,
    startedAs: tick.startedAs,
    process: tick.process,
  };
}

const endsBefore = 'the history ends before';

interface Due extends Tick {
  readonly dueMs: number;
  readonly inTimeMs: number;
  readonly terms: JobPolicies;
}

function excuseOf(
  evidence: Evidence,
  job: CursorEvidence,
  entry: TickEntry,
  due: Due,
): Excuse | null {
  const { tickMs, dueMs, inTimeMs, allowance, terms } = due;
  const { outages, history } = evidence;
  const { about } = history;
  if (inTimeMs >= about.readMs) return { why: endsBefore, untilMs: null };
  const reign = job.named.reignOf(tickMs);
  if (reign === null) return { why: 'no revision named it', untilMs: null };
  if (reign.untilMs <= tickMs + inTimeMs - dueMs) {
    return { why: 'the job was changed at about that time', untilMs: null };
  }
  const span = { fromMs: dueMs, untilMs: inTimeMs };
  if (outages.isOut(span, allowance.recoveryMs))
    return { why: 'everything was stopped', untilMs: null };
  if (isHeldByOthers(evidence, job, entry, due)) {
    return { why: 'the last run was still going', untilMs: null };
  }
  if (isQueuedBehind(job, due)) {
    return { why: 'an earlier tick was waiting', untilMs: null };
  }
  const { run } = entry;
  if (run?.result === 'stopped' && job.operations.some(({ kind }) => kind === 'stop')) {
    return { why: 'an operator stopped it', untilMs: null };
  }
  // A child that could not be had is told by its row: no exit code, and nothing that ran.
  const hasNoChild = due.process === null && run?.exitCode === null;
  if (run?.result === 'failed' && hasNoChild && run.startedDatabaseMs !== null) {
    return { why: 'its process could not be started', untilMs: null };
  }
  // Jobs are made first, and nodes take as long to start as the machine is busy.
  const servedMs = Math.max(inTimeMs, about.startedMs + outages.boundMs);
  const early = { why: 'not every node served yet', untilMs: servedMs };
  const excuse = [
    dueMs < about.startedMs ? early : null,
    excuseOfPolicies(evidence, job, entry, { terms, span, allowance }),
    excuseOfNodes(evidence, job, entry, due),
  ].reduce(laterOf);
  const lateMs = (excuse?.untilMs ?? dueMs) - dueMs;
  // What may still be late when the job is changed need not start any more.
  return excuse !== null && reign.untilMs <= tickMs + lateMs
    ? { ...excuse, untilMs: null }
    : excuse;
}

/** Of two excuses the one that allows more. */
function laterOf(one: Excuse | null, other: Excuse | null): Excuse | null {
  if (one === null || other === null) return one ?? other;
  if (one.untilMs === null || other.untilMs === null) return one.untilMs === null ? one : other;
  return one.untilMs >= other.untilMs ? one : other;
}

/** What was held when its node, or everything, was stopped is late until P11's bound. */
function excuseOfNodes(
  evidence: Evidence,
  job: JobEvidence,
  entry: TickEntry,
  due: Due,
): Excuse | null {
  const { outages, history, nodeOf } = evidence;
  const { dueMs, inTimeMs, process, allowance } = due;
  let untilMs: number | null = null;
  for (const { claim, idle, sessionId } of launchesFor(job, due)) {
    const isInTime = process !== null && process.startedMs <= inTimeMs;
    const endMs = Math.max(inTimeMs, idle?.latestMs ?? history.about.readMs);
    const held = { fromMs: claim.earliestMs, untilMs: isInTime ? process.startedMs : endMs };
    for (const stop of outages.stopsOf(nodeOf(sessionId))) {
      const wasHeld = touches(stop, held, allowance.recoveryMs(stop));
      if (!wasHeld || stop.untilMs + outages.boundMs < dueMs) continue;
      untilMs = Math.max(untilMs ?? 0, stop.untilMs);
    }
  }
  if (untilMs === null) return null;
  // A node that leaves stops even what it has not spawned yet, and that is the tick's end.
  const isOver = isOverBy(entry.run, due.terms);
  const freeMs = outages.movedMs(untilMs + outages.boundMs, untilMs);
  const boundMs = Math.max(freeMs, inTimeMs) + latenessMs;
  return { why: 'a stopped node held it', untilMs: isOver ? null : boundMs };
}

/** The launches of a tick, and of the make-ups that were to start for it. */
function launchesFor(job: JobEvidence, { tickMs, startedAs }: Due): readonly LaunchTrail[] {
  const own = job.launchesByTick.get(tickMs) ?? [];
  if (startedAs === tickMs) return own;
  return [...job.launchesByTick]
    .filter(([madeUpMs]) => madeUpMs >= tickMs && madeUpMs <= startedAs)
    .flatMap(([, launches]) => launches);
}

/** Whether what a stopped node held need not start any more. */
function isOverBy(run: RunRecord | null, terms: JobPolicies): boolean {
  if (run?.result === 'lost' || run?.result === 'stopped') return true;
  const { misfire, catchUpMs, startDeadlineMs } = terms;
  const hasEnd = misfire === 'skip' || catchUpMs !== undefined || startDeadlineMs !== undefined;
  return run?.result === 'missed' && hasEnd;
}

/**
 * Overlap: every slot was in the hands of another launch when the tick came, so that it is skipped
 * or waits. A claim that passes a tick as skipped had read the clock before it, and was written a
 * little later; a tick that waits its turn may see the slot idle between two others.
 */
function isHeldByOthers(
  evidence: Evidence,
  job: JobEvidence,
  entry: TickEntry,
  { tickMs, dueMs, terms }: Due,
): boolean {
  const own = new Set(job.launchesByTick.get(tickMs));
  const { overlap, misfire, parallel = 1 } = terms;
  const isInTurn = overlap !== undefined || misfire === 'all';
  const isSkipped = entry.run?.result === 'skipped';
  const writtenMs = latenessMs + evidence.outages.slowerMs;
  const claimedMs = isSkipped || isInTurn ? dueMs + writtenMs : dueMs;
  const holding = job.launches.filter(
    (launch) =>
      launch.claim.earliestMs <= claimedMs &&
      (launch.idle?.latestMs ?? evidence.history.about.readMs) >= dueMs &&
      !own.has(launch),
  );
  return new Set(holding.map(({ slotId }) => slotId)).size >= parallel;
}

/** A queued tick starts after those before it; how late these may be, they are judged for. */
function isQueuedBehind(job: CursorEvidence, { tickMs, dueMs, terms }: Due): boolean {
  if (terms.overlap !== 'queue' && terms.overlap !== 'queue-all') return false;
  return job.processes.some(
    ({ scheduledForDatabaseMs, startedMs }) => scheduledForDatabaseMs < tickMs && startedMs > dueMs,
  );
}

/** The ticks of an entry; a range is walked for a while only. */
function ticksOf({ named }: JobEvidence, { fromMs, untilMs }: TickEntry): number[] {
  const ticks = [fromMs];
  let tickMs = named.next(fromMs);
  while (tickMs !== null && tickMs <= untilMs && ticks.length < rangeMax) {
    ticks.push(tickMs);
    tickMs = named.next(tickMs);
  }
  if (tickMs !== null && tickMs < untilMs) ticks.push(untilMs);
  return ticks;
}

const rangeMax = 300;

/** From when on each tick's revision can have been in force, by the boot clock. */
function reignInstants(evidence: Evidence, job: JobEvidence): (tickMs: number) => number {
  const { clock } = evidence;
  let notBeforeMs = Number.NEGATIVE_INFINITY;
  const instants = new Map<number, number>();
  for (const { revision, inForceFromDatabaseMs } of job.record.revisions) {
    const asked = job.operations.find(
      (operation) => operation.outcome === 'ok' && operation.revision === revision,
    );
    if (asked !== undefined) notBeforeMs = Math.max(notBeforeMs, asked.invokedMs);
    notBeforeMs = clock.firstReachedMs(inForceFromDatabaseMs, notBeforeMs);
    instants.set(revision, notBeforeMs);
  }
  return (tickMs) =>
    instants.get(job.named.reignOf(tickMs)?.revision ?? -1) ?? Number.NEGATIVE_INFINITY;
}
