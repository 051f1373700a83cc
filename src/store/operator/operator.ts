import { listAudit } from '../audit/listAudit.ts';
import { readChain } from '../chains/readChain.ts';
import { readCluster } from '../cluster/clusterView.ts';
import { forgetNode } from '../cluster/forgetNode.ts';
import { cordonNode, drainNode, uncordonNode } from '../cluster/holdNode.ts';
import type { Channel } from '../connection/channel.ts';
import { changeGroup } from '../groups/changeGroup.ts';
import { changeLimit, listLimits } from '../groups/changeLimit.ts';
import { listGroups, showGroup } from '../groups/listGroups.ts';
import { bulkJobs } from '../jobs/bulk/bulkJobs.ts';
import { addJob } from '../jobs/changes/addJob.ts';
import { editJob, goLive, pauseJob, removeJob, resumeJob } from '../jobs/changes/changeJob.ts';
import { rollbackJob } from '../jobs/changes/rollbackJob.ts';
import { skipNext } from '../jobs/changes/skipNext.ts';
import { writeJobs } from '../jobs/changes/writeJobs.ts';
import { diffRevisions } from '../jobs/diffRevisions.ts';
import { listJobs, readDefinitions } from '../jobs/listJobs.ts';
import { readImported } from '../jobs/readImported.ts';
import { showJob } from '../jobs/showJob.ts';
import {
  listNotifications,
  listNotificationTargets,
} from '../notifications/delivery/listNotifications.ts';
import { listMutes } from '../notifications/delivery/readMutes.ts';
import { muteNotifications, unmuteNotifications } from '../notifications/mutes/changeMute.ts';
import {
  addNotificationTarget,
  editNotificationTarget,
  removeNotificationTarget,
} from '../notifications/targets/changeTarget.ts';
import { retryNotifications, testNotificationTarget } from '../notifications/targets/testTarget.ts';
import { backfillJob } from '../requests/backfillJob.ts';
import { retryRun } from '../requests/retryRun.ts';
import { runJob } from '../requests/runJob.ts';
import { stopRequest, stopRun } from '../requests/stopRun.ts';
import { waitForLaunch, waitForRequest } from '../requests/waitForRequest.ts';
import { listRunning, listRuns } from '../runs/listRuns.ts';
import { endLive, readLive, requestLive } from '../runs/liveOutput.ts';
import { readOutput, showRun } from '../runs/showRun.ts';
import { listSessions } from '../sessions/sessions.ts';
import { readUpcoming } from '../timeline/readUpcoming.ts';
import { addToken } from '../tokens/addToken.ts';
import { listTokens } from '../tokens/listTokens.ts';
import { revokeToken } from '../tokens/revokeToken.ts';
import { verifyDatabase } from '../verify/verifyDatabase.ts';
import { whyJob } from '../why/whyJob.ts';

const functions = {
  ...{ addJob, backfillJob, editJob, goLive, listJobs, pauseJob, readDefinitions, readImported },
  ...{ diffRevisions, removeJob, resumeJob, rollbackJob, runJob, showJob, skipNext, whyJob },
  ...{ bulkJobs, readChain, writeJobs },
  ...{ requestLive, endLive, listRunning, listRuns, readLive, readOutput, retryRun, showRun },
  ...{ stopRequest, stopRun, waitForLaunch, waitForRequest },
  ...{ changeGroup, changeLimit, forgetNode, listGroups, listLimits, listSessions },
  ...{ cordonNode, drainNode, uncordonNode },
  ...{ readCluster, showGroup, verifyCluster: verifyDatabase },
  ...{ addNotificationTarget, editNotificationTarget, listNotifications, listNotificationTargets },
  ...{ removeNotificationTarget, retryNotifications, testNotificationTarget },
  ...{ listMutes, muteNotifications, unmuteNotifications },
  ...{ readUpcoming, addToken, listAudit, listTokens, revokeToken },
};

/** A function of the store whose channel is given already. */
type Bound<F> = F extends (channel: Channel, ...rest: infer Rest) => infer Answer
  ? (...rest: Rest) => Answer
  : never;

/**
 * All requests of an operator to a cluster, whichever way they go: to the database itself, or
 * to a node's API. Shapes and errors are those of the store's functions of the same names.
 */
export type Operator = {
  readonly [Name in keyof typeof functions]: Bound<(typeof functions)[Name]>;
};

/** The operator that speaks to the database itself. */
export function storeOperator(channel: Channel): Operator {
  const bound = Object.entries(functions).map(([name, each]) => [
    name,
    (...rest: unknown[]) => (each as (...all: unknown[]) => unknown)(channel, ...rest),
  ]);
  return Object.fromEntries(bound) as Operator;
}
