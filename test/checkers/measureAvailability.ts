import { type Evidence, gatherEvidence } from './evidence.ts';
import type { History } from './history.ts';
import { type Obligation, oweTicks } from './obligations.ts';
import { latenessMs, type Span } from './outages.ts';

/** How many ticks started in time: of all, and of those that had to start. */
export interface Availability {
  /** Ticks that the schedules named between the start and the heal. */
  readonly ticks: number;
  /** Of all of these, excused or not. */
  readonly startedInTime: number;
  /** Those that a fault, the job's own last run, or a change of the job excuses. */
  readonly excused: number;
  /** Ticks that had to start. */
  readonly obliged: number;
  readonly onTime: number;
  /** onTime / obliged; 1 when nothing was obliged. */
  readonly share: number;
  /** The obliged ticks that came latest, worst first. */
  readonly latest: readonly LateTick[];
  /** How many ticks each excuse took out. */
  readonly excuses: Readonly<Record<string, number>>;
}

export interface LateTick {
  readonly job: string;
  readonly tickDatabaseMs: number;
  readonly atMs: number;
  /** After its splay. Null: it never started. */
  readonly lateMs: number | null;
}

/**
 * Holds the ticks that had to start against when their children did. Out are those that came while
 * everything was stopped or had just been, those that a stopped node held, until P11's bound, those
 * that the job's own last run or a change of the job took away, and those of a revision that no
 * scan can have seen yet. After an outage that left a session live everything has to go on after a
 * scan and a lock wait; else the recovery bound is waited for.
 */
export function measureAvailability(history: History, withinMs = 1_000): Availability {
  const evidence = gatherEvidence(history);
  const { startedMs, healedMs } = history.about;
  const recoveryMs = recoveryOf(evidence);
  const ticks = evidence.cursors
    .flatMap((job) => oweTicks(evidence, job, { lateMs: withinMs, recoveryMs }))
    .filter(({ dueMs }) => dueMs >= startedMs && dueMs <= healedMs);
  const excuses: Record<string, number> = {};
  const obliged = ticks.filter((tick) => {
    const excuse = tick.excuse ?? (tick.isFresh ? 'its revision was made just before' : null);
    if (excuse !== null) excuses[excuse] = (excuses[excuse] ?? 0) + 1;
    return excuse === null;
  });
  const late = obliged.map(lateTickOf);
  const isInTime = ({ lateMs }: LateTick) => lateMs !== null && lateMs <= withinMs;
  const onTime = late.filter(isInTime).length;
  const inf = (lateMs: number | null): number => lateMs ?? Number.MAX_SAFE_INTEGER;
  return {
    ticks: ticks.length,
    startedInTime: ticks.map(lateTickOf).filter(isInTime).length,
    excused: ticks.length - obliged.length,
    obliged: obliged.length,
    onTime,
    share: obliged.length === 0 ? 1 : onTime / obliged.length,
    latest: late.sort((a, b) => inf(b.lateMs) - inf(a.lateMs)).slice(0, latestMax),
    excuses,
  };
}

/** An outage that took every node's session with it is followed by joins and resets. */
function recoveryOf({ trails, outages, history }: Evidence): (outage: Span) => number {
  const { scanPeriodMs, lockWaitMs, nodes } = history.about;
  const sessions = [...trails.sessions.values()];
  return ({ fromMs, untilMs }) => {
    const isFenced = nodes.every((name) =>
      sessions.some(({ node, ended }) => {
        const endMs = ended?.earliestMs ?? Number.NEGATIVE_INFINITY;
        return node === name && endMs >= fromMs && endMs <= untilMs + lockWaitMs;
      }),
    );
    return isFenced ? outages.boundMs : scanPeriodMs + lockWaitMs + latenessMs;
  };
}

function lateTickOf(tick: Obligation): LateTick {
  const { job, tickDatabaseMs, dueMs, splayMs, process } = tick;
  const lateMs = process === null ? null : process.startedMs - dueMs - splayMs;
  return { job: job.record.name, tickDatabaseMs, atMs: dueMs, lateMs };
}

const latestMax = 20;
