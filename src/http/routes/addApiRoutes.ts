import type { Api } from '../api.ts';
import { apiContract } from '../contract/apiContract.ts';
import { addRoutes } from './addRoutes.ts';
import { auditRoutes } from './auditRoutes.ts';
import { clusterRoutes } from './clusterRoutes.ts';
import { addDocumentRoutes } from './documentRoutes.ts';
import { groupRoutes } from './groupRoutes.ts';
import { jobActionRoutes } from './jobActionRoutes.ts';
import { jobListRoute } from './jobListRoute.ts';
import { jobRoutes } from './jobRoutes.ts';
import { limitRoutes } from './limitRoutes.ts';
import { loadMachines } from './machineFiles.ts';
import { machineRoutes } from './machineRoutes.ts';
import { notifyRoutes } from './notifyRoutes.ts';
import { planRoutes } from './planRoutes.ts';
import { revisionRoutes } from './revisionRoutes.ts';
import { runRoutes } from './runRoutes.ts';
import { scheduleRoutes } from './scheduleRoutes.ts';
import { tokenRoutes } from './tokenRoutes.ts';

/**
 * Every route of `/api/v1` that needs nothing of the node but its database, and the document of all
 * routes, those that others add included. What is more particular than one of these, such as
 * `/api/v1/machines/live`, has to be added before.
 */
export function addApiRoutes(api: Api, version: string): void {
  // What fails now is tried again, and told, when somebody asks.
  loadMachines().catch(() => undefined);
  addRoutes(api, apiContract, {
    ...{ 'GET /jobs': jobListRoute(), ...jobRoutes, ...jobActionRoutes, ...revisionRoutes },
    ...{ ...runRoutes, ...planRoutes, ...scheduleRoutes, ...clusterRoutes, ...groupRoutes },
    ...{ ...limitRoutes, ...machineRoutes, ...notifyRoutes, ...auditRoutes, ...tokenRoutes },
  });
  addDocumentRoutes(api, version);
}
