import { type JobPage, pageOfJobs } from '../../../store/jobs/pageOfJobs.ts';
import { SingleFlight } from '../../admission/singleFlight.ts';
import type { jobContract } from '../../contract/jobContract.ts';
import { listedJobView } from '../../views/jobView.ts';
import type { Handlers } from '../handling/addRoutes.ts';
import { groupsToList } from '../handling/jobAccess.ts';
import { withoutUndefined } from '../handling/withoutUndefined.ts';

/** `GET /jobs` of one API, whose requests share their queries. */
export function jobListRoute(): Handlers<typeof jobContract>['GET /jobs'] {
  const pages = new SingleFlight<JobPage>();
  return async ({ full = false, ...query }, c) => {
    const { sort = 'name', limit = 50, after = null, text, prefix } = query;
    const { name: names, tag: tags, paused: isPaused } = query;
    const request = {
      ...{ sort, after, jobsMax: limit, definitionBytesMax },
      ...withoutUndefined({ text, prefix, names, tags, isPaused }),
      ...groupsToList(c.var.caller, query.group),
    };
    // Whoever may see the same groups and sends the same query gets the same page.
    const { jobs, next } = await pages.run(JSON.stringify(request), c.var.withChannel, (channel) =>
      pageOfJobs(channel, request),
    );
    return { items: jobs.map((job) => listedJobView(job, full)), next };
  };
}

/**
 * A page holds no more than this of definitions, whatever the limit says: four times as much took
 * the event loop 118 ms at once.
 */
const definitionBytesMax = 1024 * 1024;
