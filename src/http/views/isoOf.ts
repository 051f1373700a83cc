/** An instant in UTC with milliseconds. */
export function isoOf(instantMs: number): string {
  return new Date(instantMs).toISOString();
}

/** The same, or null where there is none. */
export function isoOrNull(instantMs: number | null): string | null {
  return instantMs === null ? null : isoOf(instantMs);
}
