import type { Operator } from '../../store/operator/operator.ts';
import { runMissing } from '../../store/runs/showRun.ts';
import type { BackfilledJson, RunAskedJson, SkippedJson } from '../schemas/jobAskSchemas.ts';
import type { RetriedJson, StoppedJson } from '../schemas/runSchemas.ts';
import type { NodeClient } from './nodeClient.ts';
import { pathPart } from './pathPart.ts';
import { instantMs, optionalMs } from './readInstant.ts';

type Asking = 'runJob' | 'skipNext' | 'backfillJob' | 'retryRun' | 'stopRun' | 'stopRequest';

/** What is asked for beside the schedules of jobs, over a node's API. */
export function httpAsking(client: NodeClient): Pick<Operator, Asking> {
  const post = async <T>(path: string, body: object, look: string): Promise<T> => {
    const asked = { method: 'POST', path, body, look } as const;
    return (await client.json<T>(asked)).body;
  };
  return {
    runJob: async (name, requestId, wishes = {}) => {
      const { env = {}, wantedNode, ignoresOverlap } = wishes;
      const body = {
        requestId,
        ...(Object.keys(env).length === 0 ? {} : { env }),
        ...(wantedNode === undefined || wantedNode === null ? {} : { node: wantedNode }),
        ...(ignoresOverlap === true ? { ignoreOverlap: true } : {}),
      };
      const asked = await post<RunAskedJson>(`${jobPath(name)}/run`, body, lookAtRuns(name));
      return { jobId: asked.jobId, requestId: asked.requestId, isNew: asked.isNew };
    },
    skipNext: async (name, count) => {
      const path = `${jobPath(name)}/skip-next`;
      const { skipped } = await post<SkippedJson>(path, { count }, lookAtRuns(name));
      return skipped.map(({ nodeName, ticks, next }) => {
        return { nodeName, ticks: ticks.map(instantMs), nextMs: optionalMs(next) };
      });
    },
    backfillJob: async (name, requestId, { fromMs, untilMs, ticksMax }, isDry = false) => {
      const [from, to] = [new Date(fromMs).toISOString(), new Date(untilMs).toISOString()];
      const body = { from, to, max: ticksMax, requestId, ...(isDry ? { dryRun: true } : {}) };
      const path = `${jobPath(name)}/backfill`;
      const { ticks, added } = await post<BackfilledJson>(path, body, lookAtRuns(name));
      return { requestId, ticks: ticks.map(instantMs), added: added.map(instantMs) };
    },
    retryRun: async (id) =>
      post<RetriedJson>(`${runPath(id)}/retry`, {}, `statecron run show ${id}`),
    stopRun: async (launchId) => {
      const look = `statecron run show ${launchId}`;
      return (await post<StoppedJson>(`${runPath(launchId)}/stop`, {}, look)).answer;
    },
    stopRequest: async (_job, requestId) => {
      const look = `statecron run show ${requestId}`;
      const path = `${runPath(requestId)}/stop`;
      return (await post<StoppedJson>(path, { waitingOnly: true }, look)).withdrawn;
    },
  };
}

function jobPath(name: string): string {
  return `jobs/${pathPart(name)}`;
}

/**
 * The path of a run by any of its names.
 * @throws OperatorError `run_missing` for what is no name of any run.
 */
export function runPath(id: string): string {
  if (!/^[0-9A-Za-z._:-]{1,64}$/.test(id) || id === '.' || id === '..') throw runMissing(id);
  return `runs/${encodeURIComponent(id)}`;
}

function lookAtRuns(job: string): string {
  return `statecron runs --job ${job}`;
}
