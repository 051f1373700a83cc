/** Of a field that has a value for each variable, those that differ: each by itself. */
export function eachChange(change: ValueChange): ValueChange[] {
  const { field, before, after } = change;
  if (!isByName(before ?? after)) return [change];
  const [old, made] = [isByName(before) ? before : {}, isByName(after) ? after : {}];
  return [...new Set([...Object.keys(old), ...Object.keys(made)])].flatMap((name) =>
    old[name] === made[name]
      ? []
      : [{ field: `${field} ${name}`, before: old[name], after: made[name] }],
  );
}

function isByName(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface ValueChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}
