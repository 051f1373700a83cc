import type { ShownOperator } from '../views/shownOperator.ts';
import { httpAccess } from './httpAccess.ts';
import { httpAsking } from './httpAsking.ts';
import { httpCluster } from './httpCluster.ts';
import { httpGroups } from './httpGroups.ts';
import { httpJobs } from './httpJobs.ts';
import { httpNotices } from './httpNotices.ts';
import { httpRuns } from './httpRuns.ts';
import { httpVerify } from './httpVerify.ts';
import type { NodeClient } from './nodeClient.ts';

/**
 * The operator that speaks to a node's API, with the shapes and errors of `shownOperator`. What is
 * given a callback reads, asks it, and changes on the condition that nobody else did meanwhile;
 * lists page by the keys that the node gives them.
 */
export function httpOperator(client: NodeClient): ShownOperator {
  return {
    ...httpJobs(client),
    ...httpAsking(client),
    ...httpRuns(client),
    ...httpGroups(client),
    ...httpCluster(client),
    ...httpAccess(client),
    ...httpVerify(client),
    ...httpNotices(client),
  };
}
