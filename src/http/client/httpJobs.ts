import { isDeepStrictEqual } from 'node:util';
import { formatDuration } from '../../domain/duration.ts';
import type { JobDefinition } from '../../domain/jobDefinition.ts';
import type { PresentJob } from '../../domain/words/planApply.ts';
import type { JobChanged } from '../../store/jobs/changeJob.ts';
import type { JobFilter } from '../../store/jobs/listJobs.ts';
import type { Operator } from '../../store/operator/operator.ts';
import type { AddedJobJson, ChangedJobJson, JobPageJson } from '../schemas/jobSchemas.ts';
import {
  definitionOf,
  type ListedJobView,
  presentJobOf,
  type ShownJobView,
} from '../views/jobView.ts';
import type { ShownOperator } from '../views/shownOperator.ts';
import { changeUnlessChanged } from './changeUnlessChanged.ts';
import type { NodeClient, NodeRequest } from './nodeClient.ts';
import { orMissing } from './orMissing.ts';
import { pathPart } from './pathPart.ts';
import { readChangedJob } from './readChangedJob.ts';
import { instantMs, optionalMs } from './readInstant.ts';
import { isRepeatedFault } from './repeatedFault.ts';
import { bodyOfDefinition, bodyOfPause, patchOfChange } from './wordsOfChange.ts';

type Jobs =
  | ('addJob' | 'editJob' | 'previewEdit' | 'readDefinitions' | 'listJobs' | 'showJob')
  | ('pauseJob' | 'resumeJob' | 'removeJob');

/** Jobs over a node's API. */
export function httpJobs(client: NodeClient): Pick<ShownOperator, Jobs> {
  return {
    addJob: async (definition, pause = null) => {
      const { name, origin } = definition;
      const moved = origin ? { origin } : {};
      const body = { name, ...bodyOfDefinition(definition), ...moved, ...bodyOfPause(pause) };
      const asked = { method: 'POST', path: 'jobs', body, look: lookAt(name) } as const;
      const { body: added } = await client.json<AddedJobJson>(asked);
      const { jobId, revision, inForceFrom, next } = added;
      const [inForceFromMs, nextRunMs] = [instantMs(inForceFrom), optionalMs(next)];
      return { jobId, revision, inForceFromMs, nextRunMs };
    },
    editJob: (name, edit) =>
      changeUnlessChanged(async () => {
        const { job, tag } = await read(client, name, 1);
        const { jobId, revision } = job;
        const body = patchOf(definitionOf(job), (current) =>
          edit(current, instantMs(job.now), { jobId, revision }),
        );
        const on = { path: pathOf(name), ifMatch: tag, look: lookAt(name) };
        const answer = await client.json<ChangedJobJson>({ method: 'PATCH', body, ...on });
        return readChangedJob(answer.body);
      }),
    previewEdit: async (name, edit) => {
      const found = await orMissing('job_missing', () => read(client, name, 1));
      if (found === null) return null;
      const current = definitionOf(found.job);
      return isDeepStrictEqual(edit(current), current) ? 'unchanged' : 'updated';
    },
    readDefinitions: (names) => readDefinitions(client, names),
    listJobs: (filter) => listJobs(client, filter),
    showJob: async (name, revisionsMax = 20) => (await read(client, name, revisionsMax)).job,
    pauseJob: async (name, end = null) => {
      const until =
        end === null
          ? undefined
          : 'untilMs' in end
            ? new Date(end.untilMs).toISOString()
            : formatDuration(end.forMs);
      return change(client, name, {
        method: 'POST',
        path: `${pathOf(name)}/pause`,
        body: { until },
      });
    },
    resumeJob: async (name) =>
      change(client, name, { method: 'POST', path: `${pathOf(name)}/resume` }),
    removeJob: (name, check = null) => removeJob(client, name, check),
  };
}

function pathOf(name: string): string {
  return `jobs/${pathPart(name)}`;
}

function lookAt(name: string): string {
  return `statecron job show ${name}`;
}

async function read(client: NodeClient, name: string, revisions: number) {
  const query = { revisions };
  const { body, tag } = await client.json<ShownJobView>({
    ...{ method: 'GET', path: pathOf(name), query },
  });
  return { job: body, tag: tag ?? '*' };
}

/** Where a job came from is no word of a file of jobs. */
function patchOf(before: JobDefinition, edit: (before: JobDefinition) => JobDefinition) {
  const after = edit(before);
  const { origin } = after;
  const moved = origin === undefined || origin === before.origin ? {} : { origin };
  return { ...patchOfChange(before, after), ...moved };
}

async function change(client: NodeClient, name: string, request: NodeRequest): Promise<JobChanged> {
  const answer = await client.json<ChangedJobJson>({ ...request, look: lookAt(name) });
  return readChangedJob(answer.body);
}

/** What a check by the revision lets pass is removed while it has that revision. */
async function removeJob(
  client: NodeClient,
  name: string,
  check: Parameters<Operator['removeJob']>[1],
): Promise<JobChanged> {
  const { job, tag } = await read(client, name, 1);
  const { jobId, revision } = job;
  check?.({ jobId, revision });
  const condition = check ? { ifMatch: tag } : {};
  try {
    return await change(client, name, { method: 'DELETE', path: pathOf(name), ...condition });
  } catch (error) {
    const isOurs = (error as { code?: unknown }).code === 'job_missing' && isRepeatedFault(error);
    if (!isOurs) throw error;
    const nothingKnown = { nextRunMs: null, executing: null };
    return { jobId, isChanged: true, revision: 0, inForceFromMs: 0, ...nothingKnown };
  }
}

async function* listJobs(
  client: NodeClient,
  { text, group, tags, jobsMax }: JobFilter,
): AsyncGenerator<ListedJobView> {
  const conditions = { text: text === '' ? undefined : text, group, tag: tags, full: true };
  let after: string | undefined;
  for (let left = jobsMax; left > 0; ) {
    const query = { ...conditions, after, limit: Math.min(left, pageMax) };
    const { body } = await client.json<JobPageJson>({ method: 'GET', path: 'jobs', query });
    yield* body.items;
    left -= body.items.length;
    if (body.next === null) return;
    after = body.next;
  }
}

async function readDefinitions(
  client: NodeClient,
  names: readonly string[],
): Promise<Map<string, PresentJob>> {
  const jobs = new Map<string, PresentJob>();
  for (const name of inParts(names)) {
    let after: string | undefined;
    do {
      const query = { name, full: true, after, limit: pageMax };
      const { body } = await client.json<JobPageJson>({ method: 'GET', path: 'jobs', query });
      for (const job of body.items) jobs.set(job.job, presentJobOf(job));
      after = body.next ?? undefined;
    } while (after !== undefined);
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
