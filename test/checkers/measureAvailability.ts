import type { History } from './history.ts';

/** How many of the ticks that had to start did so in time. */
export interface Availability {
  /** Ticks that the schedules named between the start and the heal. */
  readonly ticks: number;
  /** Ticks that a fault within its bound excuses. */
  readonly excused: number;
  /** Ticks that had to start. */
  readonly obliged: number;
  readonly onTime: number;
  /** onTime / obliged; 1 when nothing was obliged. */
  readonly share: number;
  /** The obliged ticks that came latest, worst first; `lateMs` null: never. */
  readonly latest: readonly LateTick[];
}

export interface LateTick {
  readonly job: string;
  readonly tickDatabaseMs: number;
  readonly atMs: number;
  readonly lateMs: number | null;
}

/** Holds the ticks that had to start against when they did. */
export function measureAvailability(_history: History, _withinMs = 1_000): Availability {
  throw new Error('not yet');
}
