import { jobsCountedMax } from '../../domain/job/jobsCountedMax.ts';
import type { Channel } from '../connection/channel.ts';
import type { DatabaseAddress } from '../connection/databaseAddress.ts';
import { integer, only } from '../rows/row.ts';

const keptMs = 60_000;
/** Counting takes no more than 1 % of a connection's time. */
const restPerWork = 100;

interface LastCount {
  jobs: number | null;
  freshUntilMs: number;
  counting: Promise<number> | null;
}

/** By address, as routes are: a process counts once for all its channels. */
const lastCounts = new WeakMap<DatabaseAddress, LastCount>();

/**
 * How many jobs there are. Above 10,000 it is as they were last counted, a minute ago at most, or
 * 100 times as long as that took; meanwhile one asker counts them and the others get the last one.
 */
export async function countJobs(channel: Channel, nowMs = performance.now()): Promise<number> {
  const few = await channel.row(only(integer), countSome, [jobsCountedMax + 1]);
  if (few <= jobsCountedMax) return few;
  const last = lastCounts.get(channel.address) ?? { jobs: null, freshUntilMs: 0, counting: null };
  lastCounts.set(channel.address, last);
  if (last.jobs !== null && (nowMs < last.freshUntilMs || last.counting !== null)) return last.jobs;
  last.counting ??= countAll(channel, last, nowMs).finally(() => {
    last.counting = null;
  });
  return last.counting;
}

async function countAll(channel: Channel, last: LastCount, nowMs: number): Promise<number> {
  const beganMs = performance.now();
  const jobs = await channel.row(only(integer), selectCount);
  const tookMs = performance.now() - beganMs;
  last.jobs = jobs;
  last.freshUntilMs = nowMs + Math.max(keptMs, restPerWork * tookMs);
  return jobs;
}

/** By an index that has those that are not removed side by side. */
const inForce = `FROM job FORCE INDEX (job_by_kind)
  WHERE every_node IN (0, 1) AND removed_no = 0`;
const countSome = `/* countJobs some */ SELECT COUNT(*)
  FROM (SELECT 1 ${inForce} LIMIT ?) AS counted`;
const selectCount = `/* countJobs */ SELECT COUNT(*) ${inForce}`;
