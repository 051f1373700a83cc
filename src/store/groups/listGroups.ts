import { OperatorError } from '../../domain/errors/errors.ts';
import type { Target } from '../../domain/job/jobPolicies.ts';
import { jobsCountedMax } from '../../domain/job/jobsCountedMax.ts';
import { noTarget } from '../../domain/targeting/takeable.ts';
import type { Channel } from '../connection/channel.ts';
import type { Parameter, Queryable } from '../connection/queryable.ts';
import { rowsOfEach, type Select } from '../connection/rowsOfEach.ts';
import { instantMs, integer, jsonOf, only, rowOf, text } from '../rows/row.ts';

const groupRow = rowOf({ group: text, nodes: jsonOf<readonly string[]>(), changedMs: instantMs });

interface GroupListed extends ReturnType<typeof groupRow> {
  /** How many jobs name it, to run there or to stay away, counted up to `jobsCountedMax`. */
  readonly jobs: number;
}

interface GroupShown extends GroupListed {
  /** The first of those that were counted, by name. */
  readonly jobNames: readonly string[];
}

/** All groups of nodes by name, with how many jobs name each. Read without locks. */
export async function listGroups(channel: Channel): Promise<GroupListed[]> {
  const groups = await channel.rows(groupRow, selectGroups);
  const counts = await countUses(
    channel,
    groups.map(({ group }) => group),
  );
  return groups.map((each) => ({ ...each, jobs: counts.get(each.group) ?? 0 }));
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
  const uses = usesOf(await channel.rows(targetUse, selectUses), group);
  const { jobs } = await channel.row(groupUse, countJobs, [group, ...uses]);
  const jobNames = await channel.rows(only(text), selectJobs, [...uses, jobsMax]);
  return { ...found, jobs, jobNames };
}

/** How many jobs name each of the groups, counted up to `jobsCountedMax`. */
export async function countUses(
  database: Queryable,
  groups: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const uses = await database.rows(targetUse, selectUses);
  const selects = groups.map((group): Select => [countJobs, [group, ...usesOf(uses, group)]]);
  const counts = await rowsOfEach(database, groupUse, selects);
  return new Map(counts.map(({ group, jobs }) => [group, jobs]));
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

/** The targets that name the group, and how many of their jobs are looked at. */
function usesOf(uses: readonly ReturnType<typeof targetUse>[], group: string): Parameter[] {
  const own = uses.filter(({ target: { groups = [], excludeGroups = [] } }) =>
    [...groups, ...excludeGroups].includes(group),
  );
  return [[noTarget, ...own.map(({ targetId }) => targetId)], jobsCountedMax];
}

const columns = "group_name AS 'group', members AS nodes, changed_at AS changed";
const selectGroups = `/* listGroups */ SELECT ${columns} FROM node_group
  ORDER BY group_name`;
const selectGroup = `/* showGroup */ SELECT ${columns} FROM node_group
  WHERE group_name = ?`;
const targetUse = rowOf({ targetId: integer, target: jsonOf<Target>() });
// Most targets name no group of nodes: their jobs, mostly all that there are, are not counted. JSON
// has nothing between the letters of a key and its list; what it makes of names is read afterwards.
const selectUses = `/* listGroups uses */ SELECT target_id, target FROM target
  WHERE target LIKE '%roups":[%'`;
const someJobs = `(SELECT name FROM job FORCE INDEX (job_by_target)
  WHERE target_id IN (?) AND removed_no = 0 LIMIT ?) AS counted`;
const groupUse = rowOf({ group: text, jobs: integer });
const countJobs = `/* listGroups jobs */ SELECT ? AS 'group', COUNT(*) AS jobs
  FROM ${someJobs}`;
const selectJobs = `/* showGroup jobs */ SELECT name FROM ${someJobs} ORDER BY name LIMIT ?`;
