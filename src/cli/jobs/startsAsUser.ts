import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import { definitionOf } from '../../http/views/jobView.ts';
import { readUsers } from '../options/readUsers.ts';

type Placed = Pick<JobDefinition, 'user' | 'target'>;

/**
 * What jobs with a user need of a node. Null: none of them has one, or nodes that may run them
 * allow their users. Those of earlier releases do not say whom they allow: where there are some,
 * each node that may run the jobs has to have run jobs of their users. Where none of a job's nodes
 * is there, that is what it lacks first. Operator null: nothing is known of any node.
 */
export async function startsAsUser(
  operator: ApiOperator | null,
  jobs: Iterable<Placed>,
): Promise<string | null> {
  const placed = [...jobs].filter(({ user }) => user !== undefined);
  // Where this cannot be read it is a warning too many.
  const unknown = { users: usersOf(placed), isTold: false };
  const { users, isTold } = await unprovenUsers(operator, placed).catch(() => unknown);
  if (users.length === 0) return null;
  const names = users.join(', ');
  const flags = users.map((user) => `--allow-user ${user}`).join(' ');
  const start = `start only on nodes that run as root with ${flags}`;
  const see = 'See: statecron docs production';
  return isTold
    ? `no live node that may run them allows jobs of ${names}: they ${start}. ${see}`
    : `jobs of ${names} ${start}; which nodes do, a first run shows (statecron job run NAME ` +
        `--wait). ${see}`;
}

/** The same; a warning is added where a user may be mistyped. */
export async function needsOfUsers(
  operator: ApiOperator,
  jobs: readonly Placed[],
  warnings: string[],
): Promise<string | null> {
  const needs = await startsAsUser(operator, jobs);
  const unknown = needs === null ? null : warnOfUnknownUsers(jobs, readUsers());
  if (unknown !== null) warnings.push(unknown);
  return needs;
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

/** `isTold`: the live nodes all say whom they allow. */
async function unprovenUsers(
  operator: ApiOperator | null,
  placed: readonly Placed[],
): Promise<{ readonly users: readonly string[]; readonly isTold: boolean }> {
  if (operator === null || placed.length === 0) return { users: usersOf(placed), isTold: false };
  const { sessions } = await operator.readCluster({ endedWithinMs: 0, sessionsMax: 1_000 });
  const live = sessions.filter(({ state }) => state === 'live');
  const allowed = new Map(live.map(({ node, users }) => [node, users ?? null]));
  const names = [...allowed.keys()];
  const isTold = names.length > 0 && [...allowed.values()].every((users) => users !== null);
  const proven = isTold ? new Map() : await nodesByUser(operator, usersOf(placed));
  const isProven = ({ user = '', target }: Placed): boolean => {
    const nodes = target?.nodes ?? names;
    if (names.length > 0 && !nodes.some((node) => allowed.has(node))) return true;
    if (isTold) return nodes.some((node) => allowed.get(node)?.includes(user));
    return nodes.length > 0 && nodes.every((node) => proven.get(user)?.has(node));
  };
  return { users: usersOf(placed.filter((job) => !isProven(job))), isTold };
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
