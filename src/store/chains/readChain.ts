import type { Upstream } from '../../domain/job/fieldTable/upstream.ts';
import type { Channel } from '../connection/channel.ts';
import { findJob } from '../jobs/findJob.ts';
import type { JobListed } from '../jobs/listedJob.ts';
import { pageOfJobs } from '../jobs/pageOfJobs.ts';
import { each, integer, rowOf, text, wordOf } from '../rows/row.ts';

/** A job of a chain, as it is reached from the job that was asked for. */
interface ChainedJob {
  readonly job: JobListed;
  /** The one before it on that way. */
  readonly by: string;
  /** On which end of the upstream of the two the other starts. */
  readonly on: Upstream['on'];
  /** So many jobs are linked to it on its far side that are not shown. */
  readonly left: number;
}

/** The jobs that start a job, or those that it starts: nearest first. */
export interface ChainSide {
  readonly jobs: readonly ChainedJob[];
  /** So many are linked to the job itself and are not shown. */
  readonly left: number;
}

export interface Chain {
  readonly jobId: number;
  readonly upstreams: ChainSide;
  readonly followers: ChainSide;
}

/** So far, so many next to one job, and so many on each side: a tree that people can read. */
export const chainBounds = { levelsMax: 5, nextMax: 10, jobsMax: 50 } as const;
/** So many are looked at for a level. */
const linksMax = 500;

/**
 * The chain around a job, level by level. A job that is reached twice is shown twice and followed
 * up once, so that it ends whatever the links are. Jobs of groups that the channel's caller may not
 * see are not shown.
 * @throws OperatorError `job_missing`.
 */
export async function readChain(channel: Channel, name: string): Promise<Chain> {
  const { jobId } = await findJob(channel, name);
  return {
    jobId,
    upstreams: await readSide(channel, name, statements.upstreams),
    followers: await readSide(channel, name, statements.followers),
  };
}

async function readSide(
  channel: Channel,
  name: string,
  { count, select }: (typeof statements)[keyof typeof statements],
): Promise<ChainSide> {
  const found: Omit<ChainedJob, 'left'>[] = [];
  const left = new Map<string, number>();
  const reached = new Set([name]);
  let level = [name];
  for (let depth = 0; level.length > 0; depth += 1) {
    for (const { links, near } of await channel.rows(linkCount, count, [level])) {
      left.set(near, links);
    }
    const room = depth === chainBounds.levelsMax ? 0 : chainBounds.jobsMax - found.length;
    if (room === 0 || left.size === 0) break;
    const links = fewOfEach(await channel.rows(chainLink, select, [level, linksMax])).slice(
      0,
      room,
    );
    const jobs = await readJobs(channel, [...new Set(links.map(({ far }) => far))]);
    const shown = links.flatMap(({ far, near, wanted }) => {
      const job = jobs.get(far);
      return job === undefined ? [] : [{ job, by: near, on: wanted }];
    });
    for (const { by } of shown) left.set(by, (left.get(by) ?? 0) - 1);
    found.push(...shown);
    const names = shown.map(({ job }) => job.name);
    level = [...new Set(names)].filter((each) => reached.size < reached.add(each).size);
  }
  const leftOf = (each: string) => left.get(each) ?? 0;
  return {
    jobs: found.map((each) => ({ ...each, left: leftOf(each.job.name) })),
    left: leftOf(name),
  };
}

/** The first links of each job of a level. */
function fewOfEach<Link extends { readonly near: string }>(links: readonly Link[]): Link[] {
  const counts = new Map<string, number>();
  return links.filter(({ near }) => {
    const count = counts.get(near) ?? 0;
    counts.set(near, count + 1);
    return count < chainBounds.nextMax;
  });
}

/** Those of them that the caller may see. */
async function readJobs(channel: Channel, names: readonly string[]) {
  if (names.length === 0) return new Map<string, JobListed>();
  const groups = channel.by?.groups ?? null;
  const { jobs } = await pageOfJobs(channel, {
    ...{ names, sort: 'name', after: null, jobsMax: chainBounds.jobsMax, definitionBytesMax },
    ...(groups === null ? {} : { groups }),
  });
  return new Map(jobs.map((job) => [job.name, job]));
}

const definitionBytesMax = 1024 * 1024;

const chainLink = rowOf({ ...each(text, 'near', 'far'), wanted: wordOf<Upstream['on']>() });
const linkCount = rowOf({ near: text, links: integer });
/** Of a level, given by its names: which jobs are linked to it on its far side, and how many. */
const statements = {
  upstreams: {
    select: `/* readChain upstreams */ SELECT job.name AS near, chain_link.upstream AS far,
      chain_link.wanted
      FROM job JOIN chain_link ON chain_link.job_id = job.job_id
      WHERE job.name IN (?) AND job.removed_no = 0
      ORDER BY job.name, chain_link.upstream LIMIT ?`,
    count: `/* readChain upstreams left */ SELECT job.name AS near, COUNT(*) AS links
      FROM job JOIN chain_link ON chain_link.job_id = job.job_id
      WHERE job.name IN (?) AND job.removed_no = 0 GROUP BY job.name`,
  },
  followers: {
    select: `/* readChain followers */ SELECT chain_link.upstream AS near, job.name AS far,
      chain_link.wanted
      FROM chain_link JOIN job ON job.job_id = chain_link.job_id
      WHERE chain_link.upstream IN (?) AND job.removed_no = 0
      ORDER BY chain_link.upstream, chain_link.job_id LIMIT ?`,
    count: `/* readChain followers left */ SELECT upstream AS near, COUNT(*) AS links
      FROM chain_link WHERE upstream IN (?) GROUP BY upstream`,
  },
} as const;
