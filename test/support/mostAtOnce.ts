import type { Row } from '../../src/store/connection/channel.ts';

/** How many of the runs of the history were under way at one time. */
export function mostAtOnce(runs: readonly Row[]): number {
  const started = runs.filter((run) => run.started_at !== null);
  const counts = started.map(
    ({ started_at: at }) =>
      started.filter((run) => run.started_at <= at && run.ended_at > at).length,
  );
  return Math.max(...counts);
}
