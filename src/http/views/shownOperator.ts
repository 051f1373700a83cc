import type { Operator } from '../../store/operator/operator.ts';
import { type ClusterView, clusterView } from './clusterView.ts';
import {
  type GroupView,
  groupView,
  type LimitView,
  limitView,
  type ShownGroupView,
} from './groupView.ts';
import { type ListedJobView, listedJobView, type ShownJobView, shownJobView } from './jobView.ts';
import { type NoticeView, noticeView, type TargetView, targetView } from './noticeView.ts';
import { type RunView, runView } from './runView.ts';
import { type TokenView, tokenView } from './tokenView.ts';
import { type VerificationView, verificationView } from './verificationView.ts';

/** What the looks at a cluster answer: the shapes of the API. */
interface Looks {
  readonly listRuns: AsyncIterable<RunView>;
  readonly listRunning: Promise<readonly RunView[]>;
  readonly showRun: Promise<RunView>;
  readonly waitForLaunch: Promise<RunView | null>;
  readonly waitForRequest: Promise<RunView | null>;
  readonly listJobs: AsyncIterable<ListedJobView>;
  readonly showJob: Promise<ShownJobView>;
  readonly listGroups: Promise<readonly GroupView[]>;
  readonly showGroup: Promise<ShownGroupView>;
  readonly listLimits: Promise<readonly LimitView[]>;
  readonly listTokens: Promise<readonly TokenView[]>;
  readonly listNoticeTargets: Promise<readonly TargetView[]>;
  readonly listNotices: Promise<readonly NoticeView[]>;
  readonly readCluster: Promise<ClusterView>;
  readonly verifyCluster: Promise<VerificationView>;
}

/**
 * An operator that tells what it sees in the shapes of the API, whichever way it looks: a node's
 * answers are such already. The tables of the command line and `--json` are printed from them.
 */
export type ShownOperator = {
  readonly [Name in Exclude<keyof Operator, 'listAudit'>]: Name extends keyof Looks
    ? (...asked: Parameters<Operator[Name]>) => Looks[Name]
    : Operator[Name];
};

/** The operator of the database, for who may see everything. */
export function shownOperator(operator: Operator): ShownOperator {
  return {
    ...operator,
    listRuns: (filter) => eachOf(operator.listRuns(filter), runView),
    listRunning: async (filter) => (await operator.listRunning(filter)).map(runView),
    showRun: async (id) => runView(await operator.showRun(id)),
    waitForLaunch: async (...asked) => viewOrNull(await operator.waitForLaunch(...asked)),
    waitForRequest: async (...asked) => viewOrNull(await operator.waitForRequest(...asked)),
    listJobs: (filter) => eachOf(operator.listJobs(filter), (job) => listedJobView(job, true)),
    showJob: async (...asked) => shownJobView(await operator.showJob(...asked)),
    listGroups: async () => (await operator.listGroups()).map(groupView),
    showGroup: async (name) => {
      const group = await operator.showGroup(name);
      return { ...groupView(group), jobNames: [...group.jobNames] };
    },
    listLimits: async () => (await operator.listLimits()).map(limitView),
    listTokens: async () => (await operator.listTokens()).map(tokenView),
    listNoticeTargets: async () => (await operator.listNoticeTargets()).map(targetView),
    listNotices: async (asked) => (await operator.listNotices(asked)).map(noticeView),
    readCluster: async (asked) =>
      clusterView(await operator.readCluster(asked), { groups: null, role: 'admin' }),
    verifyCluster: async (asked) => verificationView(await operator.verifyCluster(asked)),
  };
}

type RunWaited = Awaited<ReturnType<Operator['waitForLaunch']>>;

function viewOrNull(run: RunWaited): RunView | null {
  return run === null ? null : runView(run);
}

async function* eachOf<T, U>(values: AsyncIterable<T>, view: (value: T) => U): AsyncGenerator<U> {
  for await (const value of values) yield view(value);
}
