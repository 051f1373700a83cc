import { couldTake } from '../../domain/targeting/mayTake.ts';
import type { Row } from '../channel.ts';
import { type Asker, readLiveNodes } from './readLiveNodes.ts';
import { readTargeting } from './targetingCache.ts';

/** Jobs that no live node may run: their ticks wait, and are accounted for when one comes. */
export interface UnrunnableJobs {
  readonly jobs: number;
  /** The first of them, by name. */
  readonly names: readonly string[];
  readonly targetIds: readonly number[];
}

/** Finds the jobs in force, paused ones left out, that no live node may run. Without locks. */
export async function findUnrunnableJobs(asker: Asker, namesMax = 20): Promise<UnrunnableJobs> {
  const { nodes } = await readLiveNodes(asker);
  const { groups, placements } = await readTargeting(asker);
  const uses = await asker.query<Row[]>(selectUses);
  const unrunnable = uses.filter((row) => {
    const placement = placements.get(row.target_id as number);
    return placement === undefined || !nodes.some((node) => couldTake(placement, node, groups));
  });
  if (unrunnable.length === 0) return { jobs: 0, names: [], targetIds: [] };
  const targetIds = unrunnable.map((row) => row.target_id as number);
  const rows = await asker.query<Row[]>(selectNames, [targetIds, namesMax]);
  return {
    jobs: unrunnable.reduce((sum, row) => sum + Number(row.jobs), 0),
    names: rows.map(({ name }) => name as string),
    targetIds,
  };
}

/** The names of the live nodes that may run a job now, the ranking by levels left out. */
export async function readEligibleNodes(asker: Asker, jobId: number): Promise<string[]> {
  const [job] = await asker.query<Row[]>(selectTarget, [jobId]);
  const { nodes } = await readLiveNodes(asker);
  const { groups, placements } = await readTargeting(asker);
  const placement = placements.get((job?.target_id as number | undefined) ?? 0);
  if (placement === undefined) return [];
  const eligible = nodes.filter((node) => couldTake(placement, node, groups));
  return eligible.map(({ nodeName }) => nodeName).sort();
}

const selectUses = `/* findUnrunnableJobs */ SELECT target_id, COUNT(*) AS jobs FROM job
  WHERE removed_no = 0 AND paused = 0 GROUP BY target_id`;
const selectNames = `/* findUnrunnableJobs names */ SELECT name FROM job
  WHERE target_id IN (?) AND removed_no = 0 AND paused = 0 ORDER BY name LIMIT ?`;
const selectTarget = '/* readEligibleNodes */ SELECT target_id FROM job WHERE job_id = ?';
