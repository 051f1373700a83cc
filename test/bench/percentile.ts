/** The value below which the given share of the values lies; NaN for none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** Rounded to three significant digits, so that figures can be read. */
export function short(value: number): number {
  return Number(value.toPrecision(3));
}

export function spread(values: readonly number[]): { p50: number; p99: number; max: number } {
  return {
    p50: short(percentile(values, 0.5)),
    p99: short(percentile(values, 0.99)),
    max: short(Math.max(...values)),
  };
}
