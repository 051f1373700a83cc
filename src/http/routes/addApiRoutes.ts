import type { Api } from '../api.ts';
import { addAuditRoutes } from './auditRoutes.ts';
import { addClusterRoutes } from './clusterRoutes.ts';
import { addDocumentRoutes } from './documentRoutes.ts';
import { addGroupRoutes } from './groupRoutes.ts';
import { addJobActionRoutes } from './jobActionRoutes.ts';
import { addJobListRoute } from './jobListRoute.ts';
import { addJobRoutes } from './jobRoutes.ts';
import { addLimitRoutes } from './limitRoutes.ts';
import { addLogRoutes } from './logRoutes.ts';
import { addMachineRoutes } from './machineRoutes.ts';
import { addNotifyRoutes } from './notifyRoutes.ts';
import { addPlanRoutes } from './planRoutes.ts';
import { addRevisionRoutes } from './revisionRoutes.ts';
import { addRunRoutes } from './runRoutes.ts';
import { addScheduleRoutes } from './scheduleRoutes.ts';
import { addTokenRoutes } from './tokenRoutes.ts';
import { addVerifyRoutes } from './verifyRoutes.ts';

/**
 * Every route of `/api/v1` that needs nothing of the node but its database, and the document of all
 * routes, those that others add included. What is more particular than one of these, such as
 * `/api/v1/machines/live`, has to be added before.
 */
export function addApiRoutes(api: Api, version: string): void {
  addJobListRoute(api);
  addJobRoutes(api);
  addJobActionRoutes(api);
  addRevisionRoutes(api);
  addRunRoutes(api);
  addLogRoutes(api);
  addPlanRoutes(api);
  addScheduleRoutes(api);
  addClusterRoutes(api);
  addGroupRoutes(api);
  addLimitRoutes(api);
  addMachineRoutes(api);
  addVerifyRoutes(api);
  addNotifyRoutes(api);
  addAuditRoutes(api);
  addTokenRoutes(api);
  addDocumentRoutes(api, version);
}
