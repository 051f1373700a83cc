import { addActivity } from '../../domain/commit/addActivity.ts';
import type { NodeActivity } from '../../domain/commit/nodeActivity.ts';

interface Counted {
  readonly version: string;
  /** Null: it has not reported. */
  readonly activity: NodeActivity | null;
}

/**
 * What the sessions of each version of statecron have done, in the order in which the versions
 * come first; of one version alone nothing. Their statecharts may differ, so that a sum of all
 * versions fits the drawing of none.
 */
export function countsByVersion(sessions: readonly Counted[]) {
  const versions = new Set(sessions.map(({ version }) => version));
  if (versions.size < 2) return [];
  return [...versions].map((version) => {
    const own = sessions.filter((session) => session.version === version);
    const activities = own.flatMap(({ activity }) => activity ?? []);
    const { guards, slots: slotActors, transitions } = addActivity(activities);
    return { version, slotActors, transitions, guards };
  });
}
