import type { RunPlace } from '../../domain/commit/historyKeep.ts';
import { checkedEnv } from '../../domain/job/edit/requestEnv.ts';
import { readLastLines } from '../../store/runs/lastLines.ts';
import { listRunning } from '../../store/runs/listRuns.ts';
import { pageOfRuns } from '../../store/runs/pageOfRuns.ts';
import { runMissing } from '../../store/runs/showRun.ts';
import { type Caller, maySeeGroup } from '../authentication/api.ts';
import type { RunView, runContract } from '../contract/runContract.ts';
import type { DatabaseOperator } from '../views/apiOperator.ts';
import { logView, runView } from '../views/runView.ts';
import type { Handlers } from './handling/addRoutes.ts';
import { badField, withoutUndefined } from './handling/badField.ts';
import { followOutput } from './handling/followOutput.ts';
import { groupsToList } from './handling/jobAccess.ts';
import { readResults } from './handling/readResults.ts';

export const runRoutes: Handlers<typeof runContract> = {
  'GET /runs': async ({ limit: runsMax = 50, job, node, after, ...query }, c) => {
    const groups = groupsToList(c.var.caller, query.group);
    const where = { ...withoutUndefined({ job, node }), ...groups, runsMax };
    if (query.running === true) {
      const runs = await c.var.withChannel((channel) => listRunning(channel, where));
      return { items: runs.map(runView), next: null };
    }
    const { request: requestId, result, final: isFinal, since: sinceMs, until: untilMs } = query;
    const results = result && readResults('result', result);
    const filter = {
      ...{ ...where, after: after === undefined ? null : readPlace(after) },
      ...withoutUndefined({ requestId, results, isFinal, sinceMs, untilMs }),
    };
    return c.var.withChannel(async (channel) => {
      const { next, runs } = await pageOfRuns(channel, filter);
      const lines = await readLastLines(channel, query.lastLine === true ? runs : []);
      const items = runs.map((run) => {
        const lastLine = lines.get(run.launchId ?? '');
        return { ...runView(run), ...(lastLine && { lastLine }) };
      });
      return { items, next: next === null ? null : `${next.endedMs}:${next.runId}` };
    });
  },
  'GET /runs/{run}': ({ run: id }, c) =>
    c.var.operate((operator) => requireRun(operator, c.var.caller, id)),
  'POST /runs/{run}/stop': ({ run: id, waitingOnly = false }, c) =>
    c.var.operate((operator) =>
      operator.stopRun(id, waitingOnly, (run) => requireRunsGroup(c.var.caller, run, id)),
    ),
  'POST /runs/{run}/retry': ({ run: id, env = {} }, c) => {
    const checked = checkedEnv(env);
    return c.var.operate(async (operator) => {
      await requireRun(operator, c.var.caller, id);
      return operator.retryRun(id, checked, c.var.creationId);
    });
  },
  'GET /runs/{run}/log': async ({ run: id, format = 'text' }, c) => {
    const [run, output] = await c.var.operate(async (operator) => {
      const shown = await requireRun(operator, c.var.caller, id);
      const { launchId } = shown;
      return [shown, launchId === null ? null : await operator.readOutput(launchId)];
    });
    if (format === 'json') return logView(run, output);
    return c.body(new Uint8Array(output ?? []), 200, outputHeaders);
  },
  'POST /runs/{run}/live': async ({ run: id, seenBytes = 0 }, c) => {
    const look = await c.var.operate(async (operator) => {
      const { launchId, result } = await requireRun(operator, c.var.caller, id);
      if (launchId === null) return nothing;
      if (result === null) await operator.requestLive(launchId);
      return operator.readLive(launchId, seenBytes);
    });
    const { output, outputBytes, isReported } = look;
    const base64 = output === null ? null : Buffer.from(output).toString('base64');
    return { outputBytes, base64, isReported };
  },
  'POST /runs/{run}/follow': async ({ run: id, seenBytes = 0 }, c) => {
    const run = await c.var.operate((operator) => requireRun(operator, c.var.caller, id));
    const { outgoing } = (c.env ?? {}) as { outgoing?: { destroy(): void } };
    const stream = followOutput({
      ...{ run, seenBytes, operate: c.var.operate, admission: c.var.admission() },
      holdStream: c.var.holdStream,
      cut: () => outgoing?.destroy(),
    });
    return c.body(stream, 200, outputHeaders);
  },
};

/** Whatever a job wrote is shown, never run: not as HTML, not in a page of this origin. */
const outputHeaders = {
  'content-type': 'text/plain; charset=utf-8',
  'content-disposition': 'attachment; filename="output.txt"',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const;

const nothing = { output: null, outputBytes: 0, isReported: false } as const;

/**
 * A run by any of its names, if it is the caller's business.
 * @throws OperatorError `run_missing`, also for one of another group.
 */
async function requireRun(
  operator: DatabaseOperator,
  caller: Caller,
  id: string,
): Promise<RunView> {
  const run = await operator.showRun(id);
  requireRunsGroup(caller, run, id);
  return run;
}

/** @throws OperatorError `run_missing` for one of another group. */
function requireRunsGroup(caller: Caller, { group }: Pick<RunView, 'group'>, id: string): void {
  if (!maySeeGroup(caller, group)) throw runMissing(id);
}

function readPlace(after: string): RunPlace {
  const match = /^(\d{1,15}):(\d{1,15})$/.exec(after);
  if (match === null) throw badField('after', 'the `next` of the page before is wanted');
  return { endedMs: Number(match[1]), runId: Number(match[2]) };
}
