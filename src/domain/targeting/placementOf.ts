import { createHash } from 'node:crypto';
import type { JobDefinition } from '../job/jobDefinition.ts';
import type { Target } from '../job/jobPolicies.ts';
import type { Placement } from './mayTake.ts';

/** The format that nodes of every release understand which can share a database with this one. */
const plainFormat = 2;

/**
 * What a job requires of its nodes, or null when any node may take it, one of an earlier release
 * too. A job that only newer nodes understand requires them: an older one of level 1 must not hold
 * the newer ones of level 2 back from it.
 */
export function placementOf(
  definition: Pick<JobDefinition, 'target' | 'format' | 'group' | 'user'>,
): Placement | null {
  const { target, format = 1, group, user } = definition;
  const canonical = canonicalTarget(target);
  if (canonical === undefined && user === undefined && format <= plainFormat) return null;
  const definitionFormat = Math.max(format, canonical === undefined ? 1 : 3);
  const jobGroup = group === undefined ? {} : { jobGroup: group };
  const asUser = user === undefined ? {} : { user };
  return { target: canonical, definitionFormat, ...jobGroup, ...asUser };
}

/** The text of a placement, the same for all that mean the same, and its hash. */
export function placementKey(placement: Placement): {
  readonly text: string;
  readonly hash: string;
} {
  const { target = {}, definitionFormat, jobGroup, user } = placement;
  const text = JSON.stringify(target);
  const whole = JSON.stringify([
    definitionFormat,
    text,
    ...(jobGroup === undefined ? [] : [jobGroup]),
    ...(user === undefined ? [] : [{ user }]),
  ]);
  const hash = createHash('sha256').update(whole).digest('hex');
  return { text, hash };
}

const listNames = [
  'nodes',
  'labels',
  'groups',
  'excludeNodes',
  'excludeLabels',
  'excludeGroups',
] as const satisfies (keyof Target)[];

/** Lists and names in one order, each name once, without empty lists. */
function canonicalTarget(target: Target | undefined): Target | undefined {
  const lists = listNames.flatMap((list) => {
    const names = [...new Set(target?.[list] ?? [])].sort();
    return names.length === 0 ? [] : [[list, names] as const];
  });
  return lists.length === 0 ? undefined : (Object.fromEntries(lists) as Target);
}
