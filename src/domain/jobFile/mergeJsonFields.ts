/**
 * The fields of a JSON object with a merge over them (RFC 7396): null removes a field, and in
 * variables one of them. Neither object is changed.
 */
export function mergeJsonFields(
  fields: Readonly<Record<string, unknown>>,
  patch: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged = new Map(Object.entries(fields));
  for (const [field, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    if (value === null) merged.delete(field);
    else merged.set(field, isObject(value) ? mergeVariables(merged.get(field), value) : value);
  }
  // The zone in a schedule's text is the one that is meant, unless the merge names one, too.
  if (hasZone(patch.cron) && (patch.timezone ?? null) === null) merged.delete('timezone');
  return Object.fromEntries(merged);
}

function mergeVariables(before: unknown, patch: object): Record<string, unknown> {
  const merged = new Map(Object.entries(isObject(before) ? before : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, value);
  }
  return Object.fromEntries(merged);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasZone(cron: unknown): boolean {
  const [first] = Array.isArray(cron) ? cron : [cron];
  return typeof first === 'string' && /^\s*(CRON_)?TZ=/.test(first);
}
