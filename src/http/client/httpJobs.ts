import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import type { PresentJob } from '../../domain/jobFile/planApply.ts';
import { shellWord } from '../../domain/text/quoteForShell.ts';
import { formatDuration } from '../../domain/time/duration.ts';
import type { PauseEnd } from '../../store/jobs/changes/changeJob.ts';
import type { JobFilter } from '../../store/jobs/listJobs.ts';
import type { ApiOperator } from '../views/apiOperator.ts';
import { isoOf } from '../views/isoOf.ts';
import {
  type ChangedJobView,
  definitionOf,
  type ListedJobView,
  presentJobOf,
} from '../views/jobView.ts';
import { doStep } from './doStep.ts';
import { itemsOf, type NodeClient } from './nodeClient.ts';
import { changeUnlessChanged, isRepeatedFault } from './nodeFaults.ts';
import { bodyOfDefinition, bodyOfPause, patchOfChange } from './patchOfChange.ts';

type Jobs =
  | ('addJob' | 'editJob' | 'readImported' | 'readDefinitions' | 'listJobs' | 'showJob' | 'whyJob')
  | ('pauseJob' | 'resumeJob' | 'goLive' | 'removeJob' | 'writeJobs')
  | ('readChain' | 'bulkJobs' | 'diffRevisions' | 'rollbackJob');

/** Jobs over a node's API. */
export function httpJobs(client: NodeClient): Pick<ApiOperator, Jobs> {
  const jobs: Omit<Pick<ApiOperator, Jobs>, 'writeJobs'> = {
    addJob: (definition, pause = null) => {
      const { name, origin } = definition;
      const input = { name, ...bodyOfDefinition(definition), origin, ...bodyOfPause(pause) };
      return client.call('POST /jobs', input, lookAt(name));
    },
    editJob: (name, edit) =>
      changeUnlessChanged(async () => {
        const { body: job, tag } = await read(client, name);
        const patch = patchOf(definitionOf(job), (current) =>
          edit(current, Date.parse(job.now), job),
        );
        const on = { ifMatch: tag ?? '*', ...lookAt(name) };
        return client.call('PATCH /jobs/{job}', { ...patch, job: name }, on);
      }),
    readImported: async () => {
      const definitions: JobDefinition[] = [];
      for await (const job of listJobs(client, { jobsMax: Number.MAX_SAFE_INTEGER })) {
        definitions.push(definitionOf(job));
      }
      return { definitions, isAll: true };
    },
    readDefinitions: (names) => readDefinitions(client, names),
    listJobs: (filter) => listJobs(client, filter),
    showJob: (job, revisions = 20) => client.call('GET /jobs/{job}', { job, revisions }),
    readChain: (job) => client.call('GET /jobs/{job}/chain', { job }),
    whyJob: (job) => client.call('GET /jobs/{job}/why', { job }),
    pauseJob: (job, end = null, note = undefined) => {
      const input = { job, until: end === null ? undefined : untilOf(end), note };
      return client.call('POST /jobs/{job}/pause', input, lookAt(job));
    },
    goLive: (job) => client.call('POST /jobs/{job}/go-live', { job }, lookAt(job)),
    resumeJob: (job) => client.call('POST /jobs/{job}/resume', { job }, lookAt(job)),
    bulkJobs: ({ filter, scope, end = null, isDry: dryRun, ...same }) => {
      const { groups: group, names: name, tags: tag, isPaused: paused, ...others } = filter;
      const { lastResults: lastResult, node, prefix, reason, state, text } = others;
      const where = { text, prefix, name, group, tag, paused, state, lastResult, node, reason };
      const until = end === null ? undefined : untilOf(end);
      const input = { ...same, filter: where, dryRun, until, together: scope !== undefined };
      return client.call('POST /bulk/jobs', input, { look: 'statecron job list' });
    },
    diffRevisions: async (job, { from, to }) => {
      const revision = `${to ?? (await read(client, job)).body.revision}`;
      const input = { job, revision, from };
      return client.call('GET /jobs/{job}/revisions/{revision}/diff', input);
    },
    rollbackJob: (job, revision) =>
      client.call('POST /jobs/{job}/rollback', { job, revision }, lookAt(job)),
    removeJob: (name, check = null) => removeJob(client, name, check),
  };
  /** Here a request for each job. */
  const writeJobs: ApiOperator['writeJobs'] = async (steps, onWritten) => {
    for (const step of steps) {
      await doStep(jobs, step);
      onWritten?.(1);
    }
  };
  return { ...jobs, writeJobs };
}

function lookAt(name: string) {
  return { look: `statecron job show ${shellWord(name)}` };
}

function read(client: NodeClient, job: string) {
  return client.read('GET /jobs/{job}', { job, revisions: 1 });
}

/** The end of a pause or a mute, as requests say it. */
export function untilOf(end: NonNullable<PauseEnd>): string {
  return 'untilMs' in end ? isoOf(end.untilMs) : formatDuration(end.forMs);
}

/** Where a job came from is no field of a file of jobs. */
function patchOf(before: JobDefinition, edit: (before: JobDefinition) => JobDefinition) {
  const after = edit(before);
  const { origin } = after;
  const moved = origin === undefined || origin === before.origin ? {} : { origin };
  return { ...patchOfChange(before, after), ...moved };
}

/** What a check by the revision lets pass is removed while it has that revision. */
async function removeJob(
  client: NodeClient,
  job: string,
  check: Parameters<ApiOperator['removeJob']>[1],
): Promise<ChangedJobView> {
  const { body, tag } = await read(client, job);
  const { jobId, revision } = body;
  check?.({ jobId, revision });
  const condition = check ? { ifMatch: tag ?? '*' } : {};
  try {
    return await client.call('DELETE /jobs/{job}', { job }, { ...condition, ...lookAt(job) });
  } catch (error) {
    const isOurs = (error as { code?: unknown }).code === 'job_missing' && isRepeatedFault(error);
    if (!isOurs) throw error;
    const nothingKnown = { inForceFrom: isoOf(0), next: null, executing: null, warnings: [] };
    return { job, jobId, changed: true, revision: 0, ...nothingKnown };
  }
}

function listJobs(
  client: NodeClient,
  { text, group, tags: tag, lastResults: lastResult, jobsMax, ...filter }: JobFilter,
): AsyncGenerator<ListedJobView> {
  const { state, node, hasStats: stats } = filter;
  const where = { text: text || undefined, group, tag, state, lastResult, node, stats, full: true };
  return itemsOf(jobsMax, pageMax, (page) => client.call('GET /jobs', { ...where, ...page }));
}

async function readDefinitions(
  client: NodeClient,
  names: readonly string[],
): Promise<Map<string, PresentJob>> {
  const jobs = new Map<string, PresentJob>();
  for (const name of inParts(names)) {
    const found = itemsOf(Number.POSITIVE_INFINITY, pageMax, (page) =>
      client.call('GET /jobs', { name, full: true, ...page }),
    );
    for await (const job of found) jobs.set(job.job, presentJobOf(job));
  }
  return jobs;
}

/** So many names at once that they fit into a URL; what can be no name is nobody's. */
function inParts(names: readonly string[]): string[][] {
  const parts: string[][] = [];
  let room = 0;
  for (const name of names) {
    if (name === '' || name.length > nameCharactersMax) continue;
    const characters = encodeURIComponent(name).length + '&name='.length;
    if (characters > room || (parts.at(-1)?.length ?? pageMax) >= pageMax) {
      parts.push([]);
      room = urlCharactersMax;
    }
    parts.at(-1)?.push(name);
    room -= characters;
  }
  return parts;
}

const pageMax = 200;
const nameCharactersMax = 191;
/** All of a request's headers may have 16 KiB; of a name of 191 characters 2 KiB are left. */
const urlCharactersMax = 6 * 1024;
