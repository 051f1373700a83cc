import type { Operator } from '../../store/operator/operator.ts';
import { stopRunOrRequest } from '../../store/operator/stopRunOrRequest.ts';
import type { Answer } from '../contract/apiContract.ts';
import type { VerificationView } from '../contract/clusterContract.ts';
import type { GroupView } from '../contract/groupContract.ts';
import type { RunView } from '../contract/runContract.ts';
import { auditView } from './auditView.ts';
import { chainView } from './chainView.ts';
import { clusterView, heldNodeView, type Viewer } from './clusterView.ts';
import { isoOf, isoOrNull } from './isoOf.ts';
import {
  addedJobView,
  changedJobView,
  type ListedJobView,
  listedJobView,
  shownJobView,
} from './jobView.ts';
import { changedMuteView, type MuteView, muteView } from './muteView.ts';
import { foundRunView, runView } from './runView.ts';
import { upcomingView } from './timelineView.ts';
import { verificationView } from './verificationView.ts';
import { whyView } from './whyView.ts';

/** What an operator's functions answer, by the routes that answer the same. */
interface Answers {
  readonly bulkJobs: Answer<'POST /bulk/jobs'>;
  readonly addJob: Answer<'POST /jobs'>;
  readonly editJob: Answer<'PATCH /jobs/{job}'>;
  readonly pauseJob: Answer<'POST /jobs/{job}/pause'>;
  readonly diffRevisions: Answer<'GET /jobs/{job}/revisions/{revision}/diff'>;
  readonly rollbackJob: Answer<'POST /jobs/{job}/rollback'>;
  readonly goLive: Answer<'POST /jobs/{job}/go-live'>;
  readonly resumeJob: Answer<'POST /jobs/{job}/resume'>;
  readonly removeJob: Answer<'DELETE /jobs/{job}'>;
  readonly showJob: Answer<'GET /jobs/{job}'>;
  readonly whyJob: Answer<'GET /jobs/{job}/why'>;
  readonly readChain: Answer<'GET /jobs/{job}/chain'>;
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
  readonly cordonNode: Answer<'PUT /nodes/{node}/cordon'>;
  readonly uncordonNode: Answer<'DELETE /nodes/{node}/cordon'>;
  readonly drainNode: Answer<'POST /nodes/{node}/drain'>;
  readonly addToken: Answer<'POST /tokens'>;
  readonly revokeToken: Answer<'DELETE /tokens/{token}'>;
  readonly editNotificationTarget: Answer<'PATCH /notify/targets/{target}'>;
  readonly removeNotificationTarget: Answer<'DELETE /notify/targets/{target}'>;
  readonly testNotificationTarget: Answer<'POST /notify/targets/{target}/test'>;
  readonly listMutes: readonly MuteView[];
  readonly muteNotifications: Answer<'PUT /notify/mutes/{kind}/{name}'>;
  readonly unmuteNotifications: Answer<'DELETE /notify/mutes/{kind}/{name}'>;
  readonly retryNotifications: Answer<'POST /notify/targets/{target}/retry'>;
  readonly listGroups: Answer<'GET /groups'>['items'];
  readonly listLimits: Answer<'GET /limits'>['items'];
  readonly listTokens: Answer<'GET /tokens'>['items'];
  readonly listNotificationTargets: Answer<'GET /notify/targets'>['items'];
  readonly listNotifications: Answer<'GET /notify/log'>['items'];
  readonly listAudit: Answer<'GET /audit'>['items'];
  readonly listRunning: Answer<'GET /runs'>['items'];
  readonly readUpcoming: Answer<'GET /upcoming'>;
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

/** The database's operator with the answers of the API. */
export type DatabaseOperator = {
  readonly [Name in Exclude<keyof Operator, 'stopRun'>]: (
    ...options: Parameters<Operator[Name]>
  ) => ShownAnswer<Name>;
} & {
  /** Stops a run by any of its names, of a request also what still waits for its turn. */
  readonly stopRun: (
    id: string,
    waitingOnly?: boolean,
    check?: (run: Pick<RunView, 'group'>) => void,
  ) => Promise<Answer<'POST /runs/{run}/stop'>>;
};

/** What both ways to a cluster can do; `--json` and the tables are printed from the answers. */
export type ApiOperator = Omit<DatabaseOperator, 'stopRequest'>;

const seesAll: Viewer = { groups: null, role: 'admin' };

/** The operator of the database, with what the routes answer. */
export function apiOperator(operator: Operator, viewer: Viewer = seesAll): DatabaseOperator {
  return {
    ...operator,
    ...ofJobs(operator),
    ...ofRuns(operator),
    ...ofGroups(operator),
    ...ofTargets(operator),
    listTokens: async () =>
      (await operator.listTokens()).map(
        ({ madeMs, expiresMs, isExpired, lastUsedMs, ...token }) => {
          const [madeAt, lastUsedAt] = [isoOf(madeMs), isoOrNull(lastUsedMs)];
          const expiresAt = isoOrNull(expiresMs);
          return { ...token, madeAt, lastUsedAt, expiresAt, expired: isExpired };
        },
      ),
    listAudit: async (filter) => (await operator.listAudit(filter)).map(auditView),
    readCluster: async (...options) => clusterView(await operator.readCluster(...options), viewer),
    readUpcoming: async (query) => upcomingView(await operator.readUpcoming(query)),
    forgetNode: async (node) => ({ node, slots: (await operator.forgetNode(node)).slots }),
    cordonNode: async (...options) => heldNodeView(await operator.cordonNode(...options)),
    uncordonNode: async (...options) => heldNodeView(await operator.uncordonNode(...options)),
    drainNode: async (...options) => heldNodeView(await operator.drainNode(...options)),
    verifyCluster: async (...options) => verificationView(await operator.verifyCluster(...options)),
  };
}

function ofJobs(operator: Operator) {
  return {
    listJobs: (filter) => eachOf(operator.listJobs(filter), (job) => listedJobView(job, true)),
    bulkJobs: async (request) => {
      const { action, isDry: dryRun = false, requestId = null } = request;
      return { action, dryRun, requestId, ...(await operator.bulkJobs(request)) };
    },
    showJob: async (...options) => shownJobView(await operator.showJob(...options)),
    whyJob: async (name) => whyView(await operator.whyJob(name)),
    readChain: async (name) => chainView(name, await operator.readChain(name)),
    addJob: async (job, ...pause) => addedJobView(job, await operator.addJob(job, ...pause)),
    editJob: async (name, ...edit) => changedJobView(name, await operator.editJob(name, ...edit)),
    pauseJob: async (name, ...end) => changedJobView(name, await operator.pauseJob(name, ...end)),
    rollbackJob: async (name, revision) =>
      changedJobView(name, await operator.rollbackJob(name, revision)),
    goLive: async (name) => changedJobView(name, await operator.goLive(name)),
    resumeJob: async (name) => changedJobView(name, await operator.resumeJob(name)),
    removeJob: async (name, ...check) =>
      changedJobView(name, await operator.removeJob(name, ...check)),
    runJob: async (job, ...options) => ({ job, ...(await operator.runJob(job, ...options)) }),
    /** Which ticks of a job never run, by node. */
    skipNext: async (job, count) => {
      const skipped = await operator.skipNext(job, count);
      const views = skipped.map(({ nodeName, ticks, nextMs }) => {
        return { nodeName, ticks: ticks.map(isoOf), next: isoOrNull(nextMs) };
      });
      return { job, skipped: views };
    },
    /** Which ticks of the past are run, or would be. */
    backfillJob: async (job, id, range, dryRun = false) => {
      const backfill = await operator.backfillJob(job, id, range, dryRun);
      const { requestId, ticks, added } = backfill;
      return { job, requestId, dryRun, ticks: ticks.map(isoOf), added: added.map(isoOf) };
    },
  } satisfies Partial<DatabaseOperator>;
}

function ofRuns(operator: Operator) {
  const viewOrNull = (run: Awaited<ReturnType<Operator['waitForLaunch']>>): RunView | null =>
    run === null ? null : runView(run);
  return {
    listRuns: (filter) => eachOf(operator.listRuns(filter), runView),
    listRunning: async (filter) => (await operator.listRunning(filter)).map(runView),
    showRun: async (id) => foundRunView(await operator.showRun(id)),
    stopRun: (id, ...options) => stopRunOrRequest(operator, id, ...options),
    waitForLaunch: async (...options) => viewOrNull(await operator.waitForLaunch(...options)),
    waitForRequest: async (...options) => viewOrNull(await operator.waitForRequest(...options)),
  } satisfies Partial<DatabaseOperator>;
}

function ofGroups(operator: Operator) {
  type Listed = Awaited<ReturnType<Operator['listGroups']>>[number];
  const groupView = ({ changedMs, ...group }: Listed): GroupView => {
    return { ...group, changedAt: isoOf(changedMs) };
  };
  return {
    listGroups: async () => (await operator.listGroups()).map(groupView),
    showGroup: async (name) => {
      const { jobNames, ...group } = await operator.showGroup(name);
      return { ...groupView(group), jobNames };
    },
    changeGroup: async (...options) => {
      const { isChanged: changed, ...group } = await operator.changeGroup(...options);
      return { ...group, changed };
    },
    listLimits: async () =>
      (await operator.listLimits()).map(({ concurrencyMax: max, ...same }) => ({ ...same, max })),
    changeLimit: async (group, max) => {
      return { group, max, changed: await operator.changeLimit(group, max) };
    },
  } satisfies Partial<DatabaseOperator>;
}

function ofTargets(operator: Operator) {
  return {
    listNotificationTargets: async () =>
      (await operator.listNotificationTargets()).map(({ lastSentMs, ...target }) => {
        return { ...target, lastSentAt: isoOrNull(lastSentMs) };
      }),
    listNotifications: async (options) =>
      (await operator.listNotifications(options)).map((notification) => {
        const { createdMs, dueMs, endedMs, facts, ...same } = notification;
        const [createdAt, dueAt, endedAt] = [isoOf(createdMs), isoOf(dueMs), isoOrNull(endedMs)];
        return { ...same, facts: { ...facts }, createdAt, dueAt, endedAt };
      }),
    listMutes: async () => (await operator.listMutes()).map(muteView),
    muteNotifications: async (...options) =>
      changedMuteView(await operator.muteNotifications(...options)),
    unmuteNotifications: async (...options) =>
      changedMuteView(await operator.unmuteNotifications(...options)),
    editNotificationTarget: async (name, change) => {
      return { name, changed: await operator.editNotificationTarget(name, change) };
    },
    removeNotificationTarget: async (name) => {
      await operator.removeNotificationTarget(name);
      return { name, removed: true };
    },
    testNotificationTarget: async (name) => {
      return { name, id: await operator.testNotificationTarget(name) };
    },
    retryNotifications: async (name) => {
      return { name, notifications: await operator.retryNotifications(name) };
    },
  } satisfies Partial<DatabaseOperator>;
}

async function* eachOf<T, U>(values: AsyncIterable<T>, view: (value: T) => U): AsyncGenerator<U> {
  for await (const value of values) yield view(value);
}
