/**
 * Where two values in JSON have other fields, or values of other types; null: nowhere. `null` may
 * stand for anything, lists are compared by their first items, and texts by nothing. What has
 * other names each time, or is shown in part, is only the same kind of value.
 */
export function shapeFault(found: unknown, wanted: unknown, at = 'it'): string | null {
  if (found === null || wanted === null) return null;
  if (Array.isArray(found) && Array.isArray(wanted)) {
    if (wanted.length === 0) return null;
    if (found.length === 0) return emptyHere.has(at) ? null : `${at} is empty`;
    return shapeFault(found[0], wanted[0], `${at}[0]`);
  }
  const [foundType, wantedType] = [kindOf(found), kindOf(wanted)];
  if (foundType !== wantedType) return `${at} is ${foundType} instead of ${wantedType}`;
  if (foundType !== 'object' || open.has(at.split('.').at(-1) ?? '')) return null;
  const [ours, theirs] = [found as Fields, wanted as Fields];
  for (const key of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
    if (!Object.hasOwn(ours, key)) return `${at}.${key} is missing`;
    if (!Object.hasOwn(theirs, key)) return `${at}.${key} is not in the example`;
    const fault = shapeFault(ours[key], theirs[key], `${at}.${key}`);
    if (fault !== null) return fault;
  }
  return null;
}

/** What the world of the examples has none of: nothing of it is compared. */
const emptyHere = new Set([
  'it.followers.items',
  'it.items[0].runs',
  'it.items[0].revisions',
  'it.sessions[0].labels',
]);

const open = new Set(['definition', 'fields', 'slotActors', 'states', 'facts']);

type Fields = Readonly<Record<string, unknown>>;

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'list' : typeof value;
}
