import type { Target } from '../../src/domain/job/jobPolicies.ts';
import type { NodeFacts } from '../../src/domain/targeting/nodeFacts.ts';

interface ModelJob {
  readonly target?: Target | undefined;
  readonly definitionFormat: number;
  readonly user?: string | undefined;
}

export type GroupMembers = ReadonlyMap<string, ReadonlySet<string>>;

/** The names that a target allows of those there are, by sets instead of by rules. */
export function allowedNames(
  all: readonly NodeFacts[],
  wanted: Target,
  members: GroupMembers,
): string[] {
  const sets = (names?: string[], labels?: string[], from?: string[]): Set<string> => {
    const found = new Set<string>(names);
    for (const name of from ?? []) for (const each of members.get(name) ?? []) found.add(each);
    for (const each of all) {
      const own = each.labels.flatMap((label) => [label, label.replace(/=.*/, '')]);
      if (labels?.some((label) => own.includes(label))) found.add(each.nodeName);
    }
    return found;
  };
  const out = sets(wanted.excludeNodes, wanted.excludeLabels, wanted.excludeGroups);
  const isOpen = wanted.nodes === undefined && !wanted.labels && !wanted.groups;
  const named = sets(wanted.nodes, wanted.labels, wanted.groups);
  const within = isOpen ? new Set(all.map(({ nodeName }) => nodeName)) : named;
  return all.map(({ nodeName }) => nodeName).filter((name) => within.has(name) && !out.has(name));
}

/** Whom the cluster may choose for a job: the lowest rank above zero of those left over. */
export function takersOf(
  live: readonly NodeFacts[],
  job: ModelJob,
  members: GroupMembers,
): string[] {
  const left = eligibleOf(live, job, members);
  const rank = Math.min(...left.map(({ level }) => level).filter((level) => level > 0));
  return left.filter(({ level }) => level === rank).map((each) => each.nodeName);
}

/** Who runs every tick of a job beside the node that is chosen. */
export function besideOf(
  live: readonly NodeFacts[],
  job: ModelJob,
  members: GroupMembers,
): string[] {
  return eligibleOf(live, job, members)
    .filter(({ level }) => level === -1)
    .map(({ nodeName }) => nodeName);
}

/** Who runs an every-node job: all that may, whatever their rank. */
export function everyOf(
  live: readonly NodeFacts[],
  job: ModelJob,
  members: GroupMembers,
): string[] {
  return eligibleOf(live, job, members)
    .filter(({ level }) => level !== 0)
    .map(({ nodeName }) => nodeName);
}

function eligibleOf(live: readonly NodeFacts[], job: ModelJob, members: GroupMembers): NodeFacts[] {
  const names = allowedNames(live, job.target ?? {}, members);
  return live.filter(
    ({ nodeName, definitionFormat, isDraining, users }) =>
      names.includes(nodeName) &&
      !isDraining &&
      definitionFormat >= job.definitionFormat &&
      (users === null || [undefined, ...users].includes(job.user)),
  );
}
