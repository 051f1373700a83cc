import { OperatorError } from '../../domain/errors/errors.ts';
import type { Target } from '../../domain/job/jobPolicies.ts';
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
  const uses = await readUses(channel);
  return groups.map((each) => ({ ...each, jobs: sumOf(usesOf(uses, each.group)) }));
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
  const uses = usesOf(await readUses(channel), group);
  const targetIds = uses.map(({ targetId }) => targetId);
  const jobNames =
    uses.length === 0 ? [] : await channel.rows(only(text), selectJobs, [targetIds, jobsMax]);
  return { ...found, jobs: sumOf(uses), jobNames };
}

/** How many jobs name the group. */
export async function countJobsOf(database: Queryable, group: string): Promise<number> {
  return sumOf(usesOf(await readUses(database), group));
}

export function groupMissing(group: string): OperatorError {
  return new OperatorError({
    code: 'group_missing',
    message: `There is no group ${JSON.stringify(group)}.`,
    hint: 'See the groups that there are: statecron group list',
  });
}

type TargetUse = ReturnType<typeof targetUse>;

/** The targets that jobs have now, the groups in them, and how many jobs have each. */
function readUses(database: Queryable): Promise<TargetUse[]> {
  return database.rows(targetUse, selectUses);
}

function usesOf(uses: readonly TargetUse[], group: string): TargetUse[] {
  return uses.filter(
    ({ target: { groups, excludeGroups } }) =>
      groups?.includes(group) || excludeGroups?.includes(group),
  );
}

function sumOf(uses: readonly TargetUse[]): number {
  return uses.reduce((sum, { jobs }) => sum + jobs, 0);
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
