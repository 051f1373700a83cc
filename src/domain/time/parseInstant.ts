/**
 * An instant as epoch milliseconds, in ISO 8601 or as lists show it (`2030-01-31 09:30:00 +01:00`);
 * or null. Without Z or an offset it could be any.
 */
export function parseInstant(text: string): number | null {
  return parseIsoInstant(text.replace(/^([\d-]{10}) ([\d:.]+) ?(Z|[+-][\d:]+)$/, '$1T$2$3'));
}

/** The same in ISO 8601 alone: the form that is stored. */
export function parseIsoInstant(text: string): number | null {
  const isShaped = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  if (!isShaped) return null;
  // `Date.parse` takes the 30th of February for a day of March.
  if (parseDay(text.slice(0, 10)) === null) return null;
  const instantMs = Date.parse(text);
  return Number.isNaN(instantMs) ? null : instantMs;
}

/** An ISO date as its day number, whole days since 1970-01-01, or null. */
export function parseDay(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return null;
  const dayMs = Date.parse(`${text}T00:00:00Z`);
  const isReal = !Number.isNaN(dayMs) && new Date(dayMs).toISOString().startsWith(text);
  return isReal ? dayMs / 86_400_000 : null;
}
