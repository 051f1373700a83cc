import type { Operator } from '../../store/operator/operator.ts';
import { stopRunOrRequest } from '../../store/operator/stopRunOrRequest.ts';
import type { Answer } from '../contract/apiContract.ts';
import type { VerificationView } from '../contract/clusterContract.ts';
import type { RunView } from '../contract/runContract.ts';
import { clusterView } from './clusterView.ts';
import { changedGroupView, groupView, limitView } from './groupView.ts';
import {
  addedJobView,
  backfilledView,
  changedJobView,
  type ListedJobView,
  listedJobView,
  shownJobView,
  skippedView,
} from './jobView.ts';
import { notificationView, targetView } from './notificationView.ts';
import { runView } from './runView.ts';
import { tokenView } from './tokenView.ts';
import { verificationView } from './verificationView.ts';

/** What an operator's functions answer, by the routes that answer the same. */
interface Answers {
  readonly addJob: Answer<'POST /jobs'>;
  readonly editJob: Answer<'PATCH /jobs/{job}'>;
  readonly pauseJob: Answer<'POST /jobs/{job}/pause'>;
  readonly resumeJob: Answer<'POST /jobs/{job}/resume'>;
  readonly removeJob: Answer<'DELETE /jobs/{job}'>;
  readonly showJob: Answer<'GET /jobs/{job}'>;
  readonly runJob: Answer<'POST /jobs/{job}/run'>;
  readonly skipNext: Answer<'POST /jobs/{job}/skip-next'>;
  readonly backfillJob: Answer<'POST /jobs/{job}/backfill'>;
  readonly showRun: Answer<'GET /runs/{run}'>;
  readonly retryRun: Answer<'POST /runs/{run}/retry'>;
  readonly showGroup: Answer<'GET /groups/{group}'>;
  readonly changeGroup: Answer<'PUT /groups/{group}'>;
  readonly changeLimit: Answer<'PUT /limits/{group}'>;
  readonly readCluster: Answer<'GET /cluster'>;
  readonly listSessions: Answer<'GET /sessions'>;
  readonly forgetNode: Answer<'DELETE /nodes/{node}'>;
  readonly addToken: Answer<'POST /tokens'>;
  readonly revokeToken: Answer<'DELETE /tokens/{token}'>;
  readonly editNotificationTarget: Answer<'PATCH /notify/targets/{target}'>;
  readonly removeNotificationTarget: Answer<'DELETE /notify/targets/{target}'>;
  readonly testNotificationTarget: Answer<'POST /notify/targets/{target}/test'>;
  readonly retryNotifications: Answer<'POST /notify/targets/{target}/retry'>;
  readonly listGroups: Answer<'GET /groups'>['items'];
  readonly listLimits: Answer<'GET /limits'>['items'];
  readonly listTokens: Answer<'GET /tokens'>['items'];
  readonly listNotificationTargets: Answer<'GET /notify/targets'>['items'];
  readonly listNotifications: Answer<'GET /notify/log'>['items'];
  readonly listRunning: Answer<'GET /runs'>['items'];
  readonly waitForLaunch: RunView | null;
  readonly waitForRequest: RunView | null;
  readonly verifyCluster: VerificationView;
}

/** Lists that may be long come one by one. */
interface Streams {
  readonly listRuns: RunView;
  readonly listJobs: ListedJobView;
}

type ShownAnswer<Name extends keyof Operator> = Name extends keyof Answers
  ? Promise<Answers[Name]>
  : Name extends keyof Streams
    ? AsyncIterable<Streams[Name]>
    : ReturnType<Operator[Name]>;

/**
 * An operator that answers in the shapes of the API, whichever way it goes: a node's answers are
 * such already. The tables of the command line and `--json` are printed from them.
 */
export type ShownOperator = {
  readonly [Name in Exclude<keyof Operator, 'listAudit' | 'stopRequest' | 'stopRun'>]: (
    ...options: Parameters<Operator[Name]>
  ) => ShownAnswer<Name>;
} & {
  /** Stops a run by any of its names, of a request also what still waits for its turn. */
  readonly stopRun: (id: string) => Promise<Answer<'POST /runs/{run}/stop'>>;
};

/** The operator of the database, for who may see everything. */
export function shownOperator(operator: Operator): ShownOperator {
  return {
    ...operator,
    ...shownJobs(operator),
    ...shownRuns(operator),
    listGroups: async () => (await operator.listGroups()).map(groupView),
    showGroup: async (name) => {
      const { jobNames, ...group } = await operator.showGroup(name);
      return { ...groupView(group), jobNames };
    },
    changeGroup: async (...options) => changedGroupView(await operator.changeGroup(...options)),
    listLimits: async () => (await operator.listLimits()).map(limitView),
    changeLimit: async (group, max) => {
      return { group, max, changed: await operator.changeLimit(group, max) };
    },
    listTokens: async () => (await operator.listTokens()).map(tokenView),
    listNotificationTargets: async () => (await operator.listNotificationTargets()).map(targetView),
    listNotifications: async (options) =>
      (await operator.listNotifications(options)).map(notificationView),
    editNotificationTarget: async (name, change) => {
      return { name, changed: await operator.editNotificationTarget(name, change) };
    },
    removeNotificationTarget: async (name) => {
      await operator.removeNotificationTarget(name);
      return { name, removed: true };
    },
    testNotificationTarget: async (name) => ({
      name,
      id: await operator.testNotificationTarget(name),
    }),
    retryNotifications: async (name) => ({
      name,
      notifications: await operator.retryNotifications(name),
    }),
    readCluster: async (options) =>
      clusterView(await operator.readCluster(options), { groups: null, role: 'admin' }),
    forgetNode: async (node) => ({ node, slots: (await operator.forgetNode(node)).slots }),
    verifyCluster: async (options) => verificationView(await operator.verifyCluster(options)),
  };
}

function shownJobs(operator: Operator) {
  return {
    listJobs: (filter) => eachOf(operator.listJobs(filter), (job) => listedJobView(job, true)),
    showJob: async (...options) => shownJobView(await operator.showJob(...options)),
    addJob: async (job, pause) => addedJobView(job, await operator.addJob(job, pause), []),
    editJob: async (name, edit) => changedJobView(name, await operator.editJob(name, edit)),
    pauseJob: async (name, end) => changedJobView(name, await operator.pauseJob(name, end)),
    resumeJob: async (name) => changedJobView(name, await operator.resumeJob(name)),
    removeJob: async (name, check) => changedJobView(name, await operator.removeJob(name, check)),
    runJob: async (job, ...options) => ({ job, ...(await operator.runJob(job, ...options)) }),
    skipNext: async (name, count) => skippedView(name, await operator.skipNext(name, count)),
    backfillJob: async (name, id, range, isDry = false) =>
      backfilledView(name, await operator.backfillJob(name, id, range, isDry), isDry),
  } satisfies Partial<ShownOperator>;
}

function shownRuns(operator: Operator) {
  return {
    listRuns: (filter) => eachOf(operator.listRuns(filter), runView),
    listRunning: async (filter) => (await operator.listRunning(filter)).map(runView),
    showRun: async (id) => runView(await operator.showRun(id)),
    stopRun: (id) => stopRunOrRequest(operator, id),
    waitForLaunch: async (...options) => viewOrNull(await operator.waitForLaunch(...options)),
    waitForRequest: async (...options) => viewOrNull(await operator.waitForRequest(...options)),
  } satisfies Partial<ShownOperator>;
}

type RunWaited = Awaited<ReturnType<Operator['waitForLaunch']>>;

function viewOrNull(run: RunWaited): RunView | null {
  return run === null ? null : runView(run);
}

async function* eachOf<T, U>(values: AsyncIterable<T>, view: (value: T) => U): AsyncGenerator<U> {
  for await (const value of values) yield view(value);
}
