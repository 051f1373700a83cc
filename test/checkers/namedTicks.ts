import type { JobDefinition } from '../../src/domain/job/jobDefinition.ts';
import type { TickSource } from '../../src/domain/run/tickSource.ts';
import { ticksOfRevision } from '../../src/domain/schedule/read/revisionTicks.ts';
import type { JobRecord } from './history.ts';

/** A revision while it was in force and not paused: half open, by the database's clock. */
export interface Reign {
  readonly revision: number;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly ticks: TickSource;
}

/** The ticks that a job's revisions name, each while it is in force. */
export class NamedTicks {
  readonly reigns: readonly Reign[];

  constructor(job: JobRecord) {
    this.reigns = job.revisions
      .filter(({ paused }) => !paused)
      .map((record) => ({
        revision: record.revision,
        fromMs: record.inForceFromDatabaseMs,
        untilMs: record.inForceUntilDatabaseMs ?? Number.POSITIVE_INFINITY,
        ticks: ticksOf(record.definition as JobDefinition, record.inForceFromDatabaseMs),
      }))
      .filter(({ fromMs, untilMs }) => fromMs < untilMs)
      .sort((a, b) => a.fromMs - b.fromMs);
  }

  /** The first tick after an instant and before another, or null. */
  next(afterMs: number, beforeMs = Number.POSITIVE_INFINITY): number | null {
    for (const { fromMs, untilMs, ticks } of this.reigns) {
      if (untilMs <= afterMs) continue;
      if (fromMs >= beforeMs) return null;
      const tickMs = ticks.next(Math.max(afterMs, fromMs - 1));
      if (tickMs !== null && tickMs < Math.min(untilMs, beforeMs)) return tickMs;
    }
    return null;
  }

  /** The revision that names a tick at the very instant, or null. */
  reignOf(tickMs: number): Reign | null {
    const reign = this.reigns.find(({ fromMs, untilMs }) => fromMs <= tickMs && tickMs < untilMs);
    return reign?.ticks.next(tickMs - 1) === tickMs ? reign : null;
  }

  /** How many ticks stand in a range, both ends included. */
  count(fromMs: number, untilMs: number): number {
    let found = 0;
    for (const reign of this.reigns) {
      const lowMs = Math.max(fromMs, reign.fromMs);
      const highMs = Math.min(untilMs, reign.untilMs - 1);
      if (lowMs <= highMs) found += reign.ticks.count(lowMs, highMs);
    }
    return found;
  }
}

/**
 * Reading a schedule costs more than asking it, and one world of simulated nodes is like the next,
 * so what was read last is kept.
 */
function ticksOf(definition: JobDefinition, fromMs: number): TickSource {
  const { name, schedule, moreSchedules, timezone, dialect, gap, fold } = definition;
  const { notBefore, notAfter, exclude } = definition;
  const rest = [moreSchedules, dialect, gap, fold, notBefore, notAfter, exclude];
  const key = JSON.stringify([fromMs, name, schedule, timezone, ...rest]);
  const known = read.get(key);
  if (known !== undefined) return known;
  if (read.size >= readMax) read.clear();
  const ticks = ticksOfRevision(definition, fromMs);
  read.set(key, ticks);
  return ticks;
}

const read = new Map<string, TickSource>();
const readMax = 5_000;
