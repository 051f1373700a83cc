import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import { definitionOf } from '../../http/views/jobView.ts';

type Placed = Pick<JobDefinition, 'user' | 'target'>;

/**
 * What jobs with a user need of a node. Null: none of them has one, or each node that may run them
 * has run jobs of their users. Which users a node allows it alone knows. Operator null: nothing is
 * known of any node.
 */
export async function startsAsUser(
  operator: ApiOperator | null,
  jobs: Iterable<Placed>,
): Promise<string | null> {
  const placed = [...jobs].filter(({ user }) => user !== undefined);
  // Where this cannot be read it is a warning too many.
  const users = await unprovenUsers(operator, placed).catch(() => usersOf(placed));
  if (users.length === 0) return null;
  const flags = users.map((user) => `--allow-user ${user}`).join(' ');
  return (
    `jobs of ${users.join(', ')} start only on nodes that run as root with ${flags}; which nodes ` +
    'do, a first run shows (statecron job run NAME --wait). See: statecron docs production'
  );
}

/** Users of jobs that this machine does not have, or null. */
export function warnOfUnknownUsers(
  jobs: readonly Placed[],
  users: ReadonlySet<string>,
): string | null {
  const unknown = usersOf(jobs).filter((user) => !users.has(user));
  if (unknown.length === 0) return null;
  const names = unknown.join(', ');
  return `there is no user ${names} on this machine: where the jobs run there has to be one`;
}

function usersOf(jobs: readonly Placed[]): string[] {
  return [...new Set(jobs.flatMap(({ user }) => user ?? []))].sort();
}

async function unprovenUsers(
  operator: ApiOperator | null,
  placed: readonly Placed[],
): Promise<string[]> {
  if (operator === null || placed.length === 0) return usersOf(placed);
  const { sessions } = await operator.readCluster({ endedWithinMs: 0, sessionsMax: 1_000 });
  const live = sessions.flatMap(({ node, state }) => (state === 'live' ? [node] : []));
  const proven = await nodesByUser(operator, usersOf(placed));
  const isProven = ({ user = '', target }: Placed): boolean => {
    const nodes = target?.nodes ?? live;
    return nodes.length > 0 && nodes.every((node) => proven.get(user)?.has(node));
  };
  return usersOf(placed.filter((job) => !isProven(job)));
}

/** Where jobs of each user have succeeded lately, since they are the user's. */
async function nodesByUser(
  operator: ApiOperator,
  users: readonly string[],
): Promise<Map<string, Set<string>>> {
  const nodes = new Map(users.map((user) => [user, new Set<string>()]));
  const looked = new Map<string, number>();
  for await (const job of operator.listJobs({ jobsMax: listedMax })) {
    const { user = '' } = definitionOf(job);
    const found = nodes.get(user);
    const count = looked.get(user) ?? 0;
    if (found === undefined || job.lastResult === null || count === jobsMax) continue;
    looked.set(user, count + 1);
    const filter = { job: job.job, results: ['succeeded'], runsMax } as const;
    for await (const { node, startedAt } of operator.listRuns(filter)) {
      if (node !== null && (startedAt ?? '') >= job.inForceFrom) found.add(node);
    }
  }
  return nodes;
}

/** Of a large cluster it may be a warning too many, and takes no longer. */
const listedMax = 10_000;
/** Of each user. */
const jobsMax = 10;
/** Of each job. */
const runsMax = 10;
