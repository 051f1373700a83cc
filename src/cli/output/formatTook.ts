import { formatDuration } from '../../domain/time/duration.ts';

/** How long something took: `0.250s`, `59.999s`, `1h2m3s`; what never began has no duration. */
export function formatTook(durationMs: number | null): string {
  if (durationMs === null) return '-';
  if (durationMs < 60_000) return `${(durationMs / 1000).toFixed(3)}s`;
  return formatDuration(Math.round(durationMs / 1000) * 1000);
}
