import { OperatorError } from '../../domain/errors.ts';
import type { Target } from '../../domain/jobPolicies.ts';
import type { Channel, Row } from '../channel.ts';
import type { Queryable } from '../queryable.ts';

export interface GroupListed {
  readonly group: string;
  readonly nodes: readonly string[];
  readonly changedMs: number;
  /** How many jobs name it, to run there or to stay away. */
  readonly jobs: number;
}

interface GroupShown extends GroupListed {
  /** The first of those jobs, by name. */
  readonly jobNames: readonly string[];
}

/** All groups of nodes by name, with how many jobs name each. Read without locks. */
export async function listGroups(channel: Channel): Promise<GroupListed[]> {
  const rows = await channel.query<Row[]>(selectGroups);
  const uses = await readUses(channel);
  return rows.map((row) => {
    const group = row.group_name as string;
    const jobs = uses.reduce((sum, use) => sum + (use.groups.has(group) ? use.jobs : 0), 0);
    return groupOf(row, jobs);
  });
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
  const [row] = await channel.query<Row[]>(selectGroup, [group]);
  if (row === undefined) throw groupMissing(group);
  const uses = (await readUses(channel)).filter(({ groups }) => groups.has(group));
  const targetIds = uses.map(({ targetId }) => targetId);
  const names =
    targetIds.length === 0 ? [] : await channel.query<Row[]>(selectJobs, [targetIds, jobsMax]);
  const jobs = uses.reduce((sum, use) => sum + use.jobs, 0);
  return { ...groupOf(row, jobs), jobNames: names.map(({ name }) => name as string) };
}

/** How many jobs name the group. */
export async function countJobsOf(asker: Queryable, group: string): Promise<number> {
  const uses = await readUses(asker);
  return uses.reduce((sum, use) => sum + (use.groups.has(group) ? use.jobs : 0), 0);
}

export function groupMissing(group: string): OperatorError {
  return new OperatorError({
    code: 'group_missing',
    message: `There is no group ${JSON.stringify(group)}.`,
    hint: 'See the groups that there are: statecron group list',
  });
}

interface TargetUse {
  readonly targetId: number;
  readonly groups: ReadonlySet<string>;
  readonly jobs: number;
}

/** The targets that jobs have now, the groups in them, and how many jobs have each. */
async function readUses(asker: Queryable): Promise<TargetUse[]> {
  const rows = await asker.query<Row[]>(selectUses);
  return rows.map((row) => {
    const { groups = [], excludeGroups = [] } = JSON.parse(row.target as string) as Target;
    return {
      targetId: row.target_id as number,
      groups: new Set([...groups, ...excludeGroups]),
      jobs: Number(row.jobs),
    };
  });
}

function groupOf(row: Row, jobs: number): GroupListed {
  return {
    group: row.group_name as string,
    nodes: JSON.parse(row.members as string) as string[],
    changedMs: (row.changed_at as Date).getTime(),
    jobs,
  };
}

const selectGroups = `/* listGroups */ SELECT group_name, members, changed_at FROM node_group
  ORDER BY group_name`;
const selectGroup = `/* showGroup */ SELECT group_name, members, changed_at FROM node_group
  WHERE group_name = ?`;
// Most targets name no group of nodes: their jobs, mostly all that there are, are not counted. JSON
// has nothing between the letters of a key and its list; what it makes of names is read afterwards.
const selectUses = `/* listGroups uses */ SELECT STRAIGHT_JOIN target.target_id, target.target,
    COUNT(*) AS jobs
  FROM target JOIN job FORCE INDEX (job_by_target) ON job.target_id = target.target_id
    AND job.removed_no = 0
  WHERE target.target LIKE '%roups":[%' GROUP BY target.target_id, target.target`;
const selectJobs = `/* showGroup jobs */ SELECT name FROM job
  WHERE target_id IN (?) AND removed_no = 0 ORDER BY name LIMIT ?`;
