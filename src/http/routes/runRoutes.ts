import type { RunPlace } from '../../domain/commit/historyKeep.ts';
import { type RunResult, runResults } from '../../domain/run/run.ts';
import { stopRunOrRequest } from '../../store/operator/stopRunOrRequest.ts';
import { listRunning, pageOfRuns } from '../../store/runs/listRuns.ts';
import type { runContract } from '../contract/runContract.ts';
import { runView } from '../views/runView.ts';
import type { Handlers } from './handling/addRoutes.ts';
import { badField } from './handling/badField.ts';
import { groupsToList } from './handling/jobAccess.ts';
import { requireRun, requireRunsGroup } from './handling/requireRun.ts';
import { withoutUndefined } from './handling/withoutUndefined.ts';
import { logRoutes } from './logRoutes.ts';

export const runRoutes: Handlers<typeof runContract> = {
  'GET /runs': async ({ limit: runsMax = 50, job, node, after, ...query }, c) => {
    const groups = groupsToList(c.var.caller, undefined);
    const where = { ...withoutUndefined({ job, node }), ...groups, runsMax };
    if (query.running === true) {
      const runs = await c.var.withChannel((channel) => listRunning(channel, where));
      return { items: runs.map(runView), next: null };
    }
    const { request: requestId, result, final: isFinal, since: sinceMs, until: untilMs } = query;
    const results = result && readResults(result);
    const filter = {
      ...{ ...where, after: after === undefined ? null : readPlace(after) },
      ...withoutUndefined({ requestId, results, isFinal, sinceMs, untilMs }),
    };
    const page = await c.var.withChannel((channel) => pageOfRuns(channel, filter));
    const next = page.next === null ? null : `${page.next.endedMs}:${page.next.runId}`;
    return { items: page.runs.map(runView), next };
  },
  'GET /runs/{run}': async ({ run: id }, c) =>
    runView(await c.var.operate((operator) => requireRun(operator, c.var.caller, id))),
  'POST /runs/{run}/stop': ({ run: id, waitingOnly = false }, c) =>
    c.var.operate((operator) =>
      stopRunOrRequest(operator, id, waitingOnly, (run) => requireRunsGroup(c.var.caller, run, id)),
    ),
  'POST /runs/{run}/retry': ({ run: id }, c) =>
    c.var.operate(async (operator) => {
      await requireRun(operator, c.var.caller, id);
      return operator.retryRun(id);
    }),
  ...logRoutes,
};

function readResults(words: readonly string[]): RunResult[] {
  return words.map((word) => {
    const result = runResults.find((each) => each === word);
    if (result === undefined) throw badField('result', `allowed are ${runResults.join(', ')}`);
    return result;
  });
}

function readPlace(after: string): RunPlace {
  const match = /^(\d{1,15}):(\d{1,15})$/.exec(after);
  if (match === null) throw badField('after', 'the `next` of the page before is wanted');
  return { endedMs: Number(match[1]), runId: Number(match[2]) };
}
