import type { NodeActivity } from './nodeActivity.ts';

/** The activity of several sessions in one: counts are added up, single actors are left out. */
export function addActivity(activities: readonly NodeActivity[]): NodeActivity {
  const slots: Record<string, number> = {};
  for (const activity of activities) {
    for (const [state, count] of Object.entries(activity.slots)) {
      slots[state] = (slots[state] ?? 0) + count;
    }
  }
  const transitions = addEach(
    activities.flatMap((activity) => activity.transitions),
    ({ event, from, guard, machine, to }) => [machine, from, to, event, guard],
    (one, other) => ({ ...one, count: one.count + other.count }),
  );
  const guards = addEach(
    activities.flatMap((activity) => activity.guards),
    ({ guard, machine }) => [machine, guard],
    (one, other) => ({
      ...one,
      allowed: one.allowed + other.allowed,
      refused: one.refused + other.refused,
    }),
  );
  return { actors: [], slots, transitions, guards };
}

function addEach<Count>(
  counts: readonly Count[],
  keyOf: (count: Count) => readonly unknown[],
  add: (one: Count, other: Count) => Count,
): Count[] {
  const sums = new Map<string, Count>();
  for (const count of counts) {
    const key = JSON.stringify(keyOf(count));
    const sum = sums.get(key);
    sums.set(key, sum === undefined ? count : add(sum, count));
  }
  return [...sums.values()];
}
