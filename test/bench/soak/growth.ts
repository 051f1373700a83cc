import { median } from '../percentile.ts';

/** A value, and when it was measured. */
interface Point {
  readonly ms: number;
  readonly value: number;
}

const hourMs = 3_600_000;

/**
 * By how much the values grow in an hour: the median of the slopes between any two of them, which a
 * few that stand out do not move (Theil and Sen). NaN: fewer than two.
 */
export function growthPerHour(points: readonly Point[]): number {
  const slopes = points.flatMap((one, at) =>
    points.slice(at + 1).map((other) => (other.value - one.value) / (other.ms - one.ms)),
  );
  return median(slopes) * hourMs;
}
