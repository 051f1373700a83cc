import { jobsCountedMax } from '../../domain/job/jobsCountedMax.ts';
import { couldTake, mayTake } from '../../domain/targeting/mayTake.ts';
import { hasPlace, noTarget } from '../../domain/targeting/takeable.ts';
import type { Queryable } from '../connection/queryable.ts';
import { integer, only, rowOf, text } from '../rows/row.ts';
import { readLastFacts, readLiveNodes } from './readLiveNodes.ts';
import { readTargeting } from './targetingCache.ts';

/** Jobs that no live node may run: their ticks wait, and are accounted for when one comes. */
export interface UnrunnableJobs {
  /** Counted up to `jobsCountedMax`. */
  readonly jobs: number;
  /** The first of those that were counted, by name. */
  readonly names: readonly string[];
  readonly targetIds: readonly number[];
}

/** Finds the jobs in force, paused ones left out, that no live node may run. Without locks. */
export async function findUnrunnableJobs(
  database: Queryable,
  namesMax = 20,
): Promise<UnrunnableJobs> {
  const isRunnable = await readRunnable(database);
  const targets = await database.rows(only(integer), selectTargets);
  // One that none is chosen for, though nodes beside it may run it; and one of every node.
  const single = targets.filter((targetId) => !isRunnable({ targetId, isEveryNode: false }));
  const every = targets.filter((targetId) => !isRunnable({ targetId, isEveryNode: true }));
  const suspects = [single, [noTarget, ...every], jobsCountedMax];
  // Jobs are counted where nobody takes them only: mostly they are none of a hundred thousand.
  const uses = single.length === 0 ? [] : await database.rows(targetUse, countJobs, suspects);
  if (uses.length === 0) return { jobs: 0, names: [], targetIds: [] };
  const jobs = uses.reduce((sum, each) => sum + each.jobs, 0);
  const isWhole = jobs < jobsCountedMax;
  return {
    jobs,
    names: await database.rows(only(text), selectNames, [...suspects, namesMax]),
    targetIds: isWhole ? uses.map(({ targetId }) => targetId) : single,
  };
}

interface JobPlace {
  readonly targetId: number;
  readonly isEveryNode: boolean;
}

/**
 * Who can say of a job whether any live node may run it; with ids of targets: of jobs that have
 * these; `quiet`: names of nodes that are live as long as their lease lasts, and take nothing.
 */
export async function readRunnable(
  database: Queryable,
  targetIds?: readonly number[],
  quiet: ReadonlySet<string> = new Set(),
): Promise<(job: JobPlace) => boolean> {
  const { nodes } = await readLiveNodes(database);
  const taking = nodes.filter(({ nodeName }) => !quiet.has(nodeName));
  const { groups, placements } = await readTargeting(database, 0, targetIds);
  return ({ isEveryNode, targetId }) => {
    const placement = placements.get(targetId);
    if (placement === undefined) return false;
    return taking.some((node) =>
      isEveryNode ? couldTake(placement, node, groups) : mayTake(placement, node, nodes, groups),
    );
  };
}

/** The targets of jobs that no live node may run; some of every-node jobs may have a node. */
export async function readUnrunnableTargets(
  database: Queryable,
  quiet?: ReadonlySet<string>,
): Promise<number[]> {
  const isRunnable = await readRunnable(database, undefined, quiet);
  const targets = await database.rows(only(integer), selectTargets);
  return targets.filter((targetId) => !isRunnable({ targetId, isEveryNode: false }));
}

/** The live nodes that a cordon keeps from some of the targets, and nothing else. */
export async function readCordonedFrom(
  database: Queryable,
  targetIds: readonly number[],
): Promise<ReadonlySet<string>> {
  const { nodes } = await readLiveNodes(database);
  const targeting = await readTargeting(database, 0, targetIds);
  const kept = nodes.filter(
    (node) => node.isCordoned && targetIds.some((id) => hasPlace(node, id, targeting)),
  );
  return new Set(kept.map(({ nodeName }) => nodeName));
}

/** The targets that allow a node, as it is or was when it was there last; none for one unknown. */
export async function readTargetsOfNode(database: Queryable, nodeName: string): Promise<number[]> {
  const { nodes } = await readLiveNodes(database);
  const live = nodes.find((node) => node.nodeName === nodeName);
  const node = live ?? (await readLastFacts(database, nodeName));
  if (node === null) return [];
  const targeting = await readTargeting(database);
  return [...targeting.placements.keys()].filter((id) => hasPlace(node, id, targeting));
}

/** The names of the live nodes that may run a job now, the ranking by levels left out. */
export async function readEligibleNodes(database: Queryable, jobId: number): Promise<string[]> {
  const [targetId = 0] = await database.rows(only(integer), selectTarget, [jobId]);
  const { nodes } = await readLiveNodes(database);
  const { groups, placements } = await readTargeting(database);
  const placement = placements.get(targetId);
  if (placement === undefined) return [];
  const eligible = nodes.filter((node) => couldTake(placement, node, groups));
  return eligible.map(({ nodeName }) => nodeName).sort();
}

/** The index has them side by side: a server reads the first entry of each. */
const selectTargets = `/* findUnrunnableJobs */ SELECT target_id
  FROM job FORCE INDEX (job_by_target) WHERE removed_no = 0 GROUP BY target_id`;
const targetUse = rowOf({ targetId: integer, jobs: integer });
/** Of a cluster without a node it would be all jobs that there are. */
const someUnrunnable = `(SELECT target_id, name FROM job
  WHERE target_id IN (?) AND (every_node = 0 OR target_id IN (?))
    AND removed_no = 0 AND paused = 0 LIMIT ?) AS counted`;
const countJobs = `/* findUnrunnableJobs count */ SELECT target_id, COUNT(*) AS jobs
  FROM ${someUnrunnable} GROUP BY target_id`;
const selectNames = `/* findUnrunnableJobs names */ SELECT name
  FROM ${someUnrunnable} ORDER BY name LIMIT ?`;
const selectTarget = '/* readEligibleNodes */ SELECT target_id FROM job WHERE job_id = ?';
