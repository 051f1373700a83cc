import type { Api } from '../authentication/api.ts';
import { apiContract } from '../contract/apiContract.ts';
import { clusterRoutes } from './clusterRoutes.ts';
import { addDocumentRoutes } from './document/documentRoutes.ts';
import { groupRoutes, limitRoutes } from './groupRoutes.ts';
import { addRoutes } from './handling/addRoutes.ts';
import { loadMachines } from './handling/machineFiles.ts';
import { bulkRoutes } from './jobs/bulkRoutes.ts';
import { jobActionRoutes } from './jobs/jobActionRoutes.ts';
import { jobListRoute, jobRoutes } from './jobs/jobRoutes.ts';
import { planRoutes } from './jobs/planRoutes.ts';
import { revisionRoutes, scheduleRoutes } from './jobs/revisionRoutes.ts';
import { machineRoutes } from './machineRoutes.ts';
import { notifyRoutes } from './notifyRoutes.ts';
import { addPageRoutes } from './page/pageRoutes.ts';
import { runRoutes } from './runRoutes.ts';
import { timelineRoutes } from './timelineRoutes.ts';
import { auditRoutes, tokenRoutes } from './tokenRoutes.ts';

/**
 * Every route of `/api/v1` that needs nothing of the node but its database, and the document of all
 * routes, those that others add included. What is more particular than one of these, such as
 * `/api/v1/machines/live`, has to be added before.
 */
export function addApiRoutes(api: Api, version: string): void {
  // What fails now is tried again, and reported, on the first request.
  loadMachines().catch(() => undefined);
  addRoutes(api, apiContract, {
    ...{
      'GET /jobs': jobListRoute(),
      ...jobRoutes,
      ...bulkRoutes,
      ...jobActionRoutes,
      ...revisionRoutes,
    },
    ...{ ...runRoutes, ...planRoutes, ...scheduleRoutes, ...clusterRoutes, ...groupRoutes },
    ...{
      ...timelineRoutes,
      ...limitRoutes,
      ...machineRoutes,
      ...notifyRoutes,
      ...auditRoutes,
      ...tokenRoutes,
    },
  });
  addPageRoutes(api);
  addDocumentRoutes(api, version);
}
