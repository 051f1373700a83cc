import { OperatorError } from '../../domain/errors/errors.ts';
import type { Target } from '../../domain/job/jobPolicies.ts';
import { noTarget } from '../../domain/targeting/takeable.ts';
import type { Channel } from '../connection/channel.ts';
import type { Queryable } from '../connection/queryable.ts';
import { instantMs, integer, jsonOf, only, rowOf, text } from '../rows/row.ts';

const groupRow = rowOf({ group: text, nodes: jsonOf<readonly string[]>(), changedMs: instantMs });

interface GroupListed extends ReturnType<typeof groupRow> {
  /** How many jobs name it, to run there or to stay away. */
  readonly jobs: number;
}

interface GroupShown extends GroupListed {
  /** The first of those jobs, by name. */
  readonly jobNames: readonly string[];
}

/** All groups of nodes by name, with how many jobs name each. Read without locks. */
export async function listGroups(channel: Channel): Promise<GroupListed[]> {
  const groups = await channel.rows(groupRow, selectGroups);
  const uses = await channel.rows(targetUse, selectUses);
  return groups.map((each) => ({ ...each, jobs: usesOf(uses, each.group).jobs }));
}

/**
 * One group, and which jobs name it.
 * @throws OperatorError `group_missing`.
 */
export async function showGroup(
  channel: Channel,
  group: string,
  jobsMax = 100,
): Promise<GroupShown> {
  const [found] = await channel.rows(groupRow, selectGroup, [group]);
  if (found === undefined) throw groupMissing(group);
  const { jobs, targetIds } = usesOf(await channel.rows(targetUse, selectUses), group);
  const jobNames = await channel.rows(only(text), selectJobs, [[noTarget, ...targetIds], jobsMax]);
  return { ...found, jobs, jobNames };
}

/** How many jobs name the group. */
export async function countJobsOf(database: Queryable, group: string): Promise<number> {
  return usesOf(await database.rows(targetUse, selectUses), group).jobs;
}

export function groupMissing(group: string): OperatorError {
  const message = `There is no group of nodes ${JSON.stringify(group)}.`;
  const hint = 'See the groups that there are: statecron group list';
  return new OperatorError({ code: 'group_missing', message, hint, missing: group });
}

export function groupExists(group: string): OperatorError {
  return new OperatorError({
    code: 'group_exists',
    message: `There is a group of nodes ${JSON.stringify(group)} already.`,
    hint: 'Take another name, or change that one; see: statecron group edit --help',
  });
}

/** A group of jobs is there as long as a job is in it. */
export function jobGroupMissing(group: string): OperatorError {
  const message = `No job is in the group ${JSON.stringify(group)}.`;
  const hint =
    'See the group of a job: statecron job show NAME; change it: job edit NAME --group GROUP';
  return new OperatorError({ code: 'job_group_missing', message, hint, missing: group });
}

/** The targets that name the group, and how many jobs have them. */
function usesOf(uses: readonly ReturnType<typeof targetUse>[], group: string) {
  const own = uses.filter(({ target: { groups = [], excludeGroups = [] } }) =>
    [...groups, ...excludeGroups].includes(group),
  );
  const jobs = own.reduce((sum, use) => sum + use.jobs, 0);
  return { jobs, targetIds: own.map(({ targetId }) => targetId) };
}

const columns = "group_name AS 'group', members AS nodes, changed_at AS changed";
const selectGroups = `/* listGroups */ SELECT ${columns} FROM node_group
  ORDER BY group_name`;
const selectGroup = `/* showGroup */ SELECT ${columns} FROM node_group
  WHERE group_name = ?`;
const targetUse = rowOf({ targetId: integer, target: jsonOf<Target>(), jobs: integer });
// Most targets name no group of nodes: their jobs, mostly all that there are, are not counted. JSON
// has nothing between the letters of a key and its list; what it makes of names is read afterwards.
const selectUses = `/* listGroups uses */ SELECT STRAIGHT_JOIN target.target_id, target.target,
    COUNT(*) AS jobs
  FROM target JOIN job FORCE INDEX (job_by_target) ON job.target_id = target.target_id
    AND job.removed_no = 0
  WHERE target.target LIKE '%roups":[%' GROUP BY target.target_id, target.target`;
const selectJobs = `/* showGroup jobs */ SELECT name FROM job
  WHERE target_id IN (?) AND removed_no = 0 ORDER BY name LIMIT ?`;
