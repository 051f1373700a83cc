import { gatherEvidence } from './evidence.ts';
import type { History } from './history.ts';
import { type Obligation, oweTicks } from './obligations.ts';

/** How many of the ticks that had to start did so in time. */
export interface Availability {
  /** Ticks that the schedules named between the start and the heal. */
  readonly ticks: number;
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
  /** Null: it never started. */
  readonly lateMs: number | null;
}

/**
 * Holds the ticks that had to start against when their children did. Out are those that the rule C1
 * lets be late, and those of a revision that no scan can have seen yet.
 */
export function measureAvailability(history: History, withinMs = 1_000): Availability {
  const evidence = gatherEvidence(history);
  const { startedMs, healedMs } = history.about;
  const ticks = evidence.jobs
    .flatMap((job) => oweTicks(evidence, job, withinMs))
    .filter(({ dueMs }) => dueMs >= startedMs && dueMs <= healedMs);
  const excuses: Record<string, number> = {};
  const obliged = ticks.filter((tick) => {
    const excuse = tick.excuse ?? (tick.isFresh ? 'its revision was made just before' : null);
    if (excuse !== null) excuses[excuse] = (excuses[excuse] ?? 0) + 1;
    return excuse === null;
  });
  const late = obliged.map(lateTickOf);
  const onTime = late.filter(({ lateMs }) => lateMs !== null && lateMs <= withinMs).length;
  const inf = (lateMs: number | null): number => lateMs ?? Number.MAX_SAFE_INTEGER;
  return {
    ticks: ticks.length,
    excused: ticks.length - obliged.length,
    obliged: obliged.length,
    onTime,
    share: obliged.length === 0 ? 1 : onTime / obliged.length,
    latest: late.sort((a, b) => inf(b.lateMs) - inf(a.lateMs)).slice(0, latestMax),
    excuses,
  };
}

function lateTickOf({ job, tickDatabaseMs, dueMs, process }: Obligation): LateTick {
  const lateMs = process === null ? null : process.startedMs - dueMs;
  return { job: job.record.name, tickDatabaseMs, atMs: dueMs, lateMs };
}

const latestMax = 20;
