import { failureResults } from '../../../src/domain/run/run.ts';
import { pageOfJobs } from '../../../src/store/jobs/pageOfJobs.ts';
import type { JobPageQuery } from '../../../src/store/jobs/selectPage.ts';
import { pageOfRuns } from '../../../src/store/runs/pageOfRuns.ts';
import { readTimeline } from '../../../src/store/timeline/readTimeline.ts';
import { readUpcoming, type UpcomingQuery } from '../../../src/store/timeline/readUpcoming.ts';
import { whyJob } from '../../../src/store/why/whyJob.ts';
import type { StoreWorld } from '../../support/storeWorld.ts';

/** A request of the page, and how many rows of the answer it shows. */
export type ShownRequest = (world: Pick<StoreWorld, 'channel'>) => Promise<number>;

/** Those that an index serves: each may read 20 rows for one that it shows. */
export const servedRequests: Readonly<Record<string, ShownRequest>> = {
  'all jobs': jobs({}),
  'jobs with statistics': jobs({ hasStats: true, after: 'job-000500' }),
  'running jobs': jobs({ state: 'running' }),
  'waiting jobs': jobs({ state: 'waiting' }),
  'idle jobs': jobs({ state: 'idle', after: 'job-000500' }),
  'paused jobs': jobs({ state: 'paused', hasStats: true }),
  'observed jobs': jobs({ state: 'observed', hasStats: true }),
  'jobs that cannot run': jobs({ state: 'cannot_run' }),
  'jobs of a group': jobs({ groups: ['group-3'], hasStats: true }),
  'jobs that failed': jobs({ lastResults: failureResults }),
  'jobs that failed, backwards': jobs({ lastResults: failureResults, sort: '-name' }),
  'jobs that failed, the newest': jobs({ lastResults: failureResults, sort: '-created' }),
  'jobs of a group that failed': jobs({ lastResults: failureResults, groups: ['group-10'] }),
  runs: runs({}),
  'runs that failed': runs({ results: failureResults }),
  'runs of a group': runs({ groups: ['group-0'] }),
  'what is next': upcoming({}),
  'what is next, each tick': upcoming({ isEachTick: true, launchesMax: 200 }),
  timeline: timeline({}),
  'timeline of a group': timeline({ groups: ['group-0'] }),
  'why a job does not run': async ({ channel }) =>
    (await whyJob(channel, 'job-000010')).checks.length,
};

/** Those whose conditions no index serves: a bounded part is looked at for each page. */
export const scannedRequests: Readonly<Record<string, ShownRequest>> = {
  'jobs of a node': jobs({ node: 'web1' }),
  'what is next in a group': upcoming({ groups: ['group-3'] }),
};

function jobs(query: Partial<JobPageQuery>): ShownRequest {
  return async ({ channel }) => {
    const size = { jobsMax: 50, definitionBytesMax: 1024 * 1024 };
    const page = await pageOfJobs(channel, { sort: 'name', after: null, ...size, ...query });
    const strips = page.jobs.reduce((sum, { recent = [] }) => sum + recent.length, 0);
    return page.jobs.length + strips;
  };
}

function runs(query: Partial<Parameters<typeof pageOfRuns>[1]>): ShownRequest {
  return async ({ channel }) =>
    (await pageOfRuns(channel, { after: null, runsMax: 50, ...query })).runs.length;
}

function upcoming(query: Partial<UpcomingQuery>): ShownRequest {
  return async ({ channel }) => {
    const size = { withinMs: 3_600_000, launchesMax: 50 };
    return (await readUpcoming(channel, { ...size, ...query })).launches.length;
  };
}

function timeline(query: Partial<JobPageQuery>): ShownRequest {
  return async ({ channel }) => {
    const size = { jobsMax: 40, definitionBytesMax: 1024 * 1024 };
    const [fromMs, untilMs] = [Date.now() - 86_400_000, Date.now() + 3_600_000];
    const jobs = { sort: 'name', after: null, ...size, ...query } as const;
    const shown = await readTimeline(channel, { fromMs, untilMs, bins: 100, jobs });
    return shown.jobs.reduce((sum, { runs }) => sum + 1 + runs.length, 0);
  };
}
