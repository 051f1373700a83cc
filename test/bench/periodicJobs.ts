import { type BenchDatabase, seedJobs } from './benchServer.ts';

/** Jobs every so many seconds, of a minute, dealt evenly over them. */
export interface PeriodicJobs {
  readonly jobs: number;
  readonly periodSeconds: number;
}

/** Adds jobs `true` with the ids from 1 on; none is due yet. */
export async function seedPeriodicJobs(database: BenchDatabase, all: PeriodicJobs): Promise<void> {
  for (const { offset, before, count } of dealt(all)) {
    const schedule = `${offset}/${all.periodSeconds} * * * * *`;
    await seedJobs(database, { from: before + 1, count, schedule, dueAt: null });
  }
}

/** Each has its first tick at the instant, a whole second, or within a period from then on. */
export async function makePeriodicJobsDue(
  database: BenchDatabase,
  all: PeriodicJobs,
  firstMs: number,
): Promise<void> {
  const { periodSeconds } = all;
  for (const { offset, before, count } of dealt(all)) {
    const waitSeconds =
      (offset - ((firstMs / 1_000) % periodSeconds) + periodSeconds) % periodSeconds;
    const at = new Date(firstMs + waitSeconds * 1_000);
    await database.query(makeDue, [at, at, before, before + count]);
  }
}

/** How many ticks they have in so many seconds from that whole second on. */
export function countTicks(all: PeriodicJobs, fromMs: number, seconds: number): number {
  const counts = dealt(all).map(({ count }) => count);
  const first = fromMs / 1_000;
  const each = Array.from(
    { length: seconds },
    (_, at) => counts[(first + at) % counts.length] ?? 0,
  );
  return each.reduce((sum, count) => sum + count, 0);
}

/** For each second of the period, how many jobs it has and how many come before. */
function dealt({ jobs, periodSeconds }: PeriodicJobs) {
  const upTo = (offset: number) => Math.floor((jobs * offset) / periodSeconds);
  return Array.from({ length: periodSeconds }, (_, offset) => {
    return { offset, before: upTo(offset), count: upTo(offset + 1) - upTo(offset) };
  });
}

const makeDue = `UPDATE slot SET next_run_at = ?, cursor_at = ?
  WHERE job_id > ? AND job_id <= ?`;
