import { clusterContract } from './clusterContract.ts';
import { fileContract } from './fileContract.ts';
import { groupContract, limitContract } from './groupContract.ts';
import { bulkContract, jobActionContract } from './jobActionContract.ts';
import { jobContract } from './jobContract.ts';
import { machineContract } from './machineContract.ts';
import { notificationContract } from './notificationContract.ts';
import { revisionContract, scheduleContract } from './revisionContract.ts';
import type { AnswerOf } from './routeContract.ts';
import { runContract } from './runContract.ts';
import { timelineContract } from './timelineContract.ts';
import { auditContract, tokenContract } from './tokenContract.ts';

/**
 * Every route of `/api/v1` that needs nothing of a node but its database. Whoever only calls the
 * API, such as the command line, imports its types: the schemas take a quarter of a second to load.
 */
export const apiContract = {
  ...{ ...jobContract, ...bulkContract, ...jobActionContract, ...revisionContract },
  ...{ ...runContract, ...timelineContract, ...fileContract, ...scheduleContract },
  ...{ ...clusterContract, ...groupContract, ...limitContract, ...machineContract },
  ...{ ...notificationContract, ...auditContract, ...tokenContract },
};

export type ApiContract = typeof apiContract;

/** What a route of the API answers, by its method and path. */
export type Answer<Key extends keyof ApiContract> = AnswerOf<ApiContract[Key]>;
