/** What a job's last runs say of the next one. */
interface DurationSpread {
  /** Half of them took no longer; null: none of them ran. */
  readonly p50Ms: number | null;
  /** 95 of 100 took no longer: of fewer than 20 the longest. */
  readonly p95Ms: number | null;
}

/** Of the durations of runs: each is one that was measured, nothing is interpolated. */
export function spreadOf(durationsMs: readonly number[]): DurationSpread {
  const rising = [...durationsMs].sort((a, b) => a - b);
  const at = (share: number): number | null =>
    rising[Math.max(0, Math.ceil(share * rising.length) - 1)] ?? null;
  return { p50Ms: at(0.5), p95Ms: at(0.95) };
}
