import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import { withVariables } from '../../domain/job/secretEnv.ts';
import type { ChannelConnection } from '../connection/channel.ts';
import { integer, jsonOf, rowOf, text } from '../rows/row.ts';

/** Where a launch says which request it is of. */
interface RequestOfLaunch {
  readonly jobId: number;
  readonly requestId: string | null;
}

/** The variables that came with requests, by `jobId:requestId`; most launches have none. */
type RequestEnvs = ReadonlyMap<string, JobDefinition['env']>;

/** Reads what came with the requests of launches that are about to be claimed. */
export async function readRequestEnvs(
  connection: ChannelConnection,
  launches: readonly RequestOfLaunch[],
): Promise<RequestEnvs> {
  const pairs = launches.flatMap(({ jobId, requestId }) =>
    requestId === null || requestId === '' ? [] : [[jobId, requestId] as const],
  );
  if (pairs.length === 0) return new Map();
  const rows = await connection.rows(requestEnv, selectEnvs, [pairs]);
  return new Map(rows.map(({ jobId, requestId, env }) => [`${jobId}:${requestId}`, env]));
}

/** The definition as the launch of a request has it: its variables win over the job's. */
export function withRequestEnv(
  definition: JobDefinition,
  { jobId, requestId }: RequestOfLaunch,
  envs: RequestEnvs,
): JobDefinition {
  const env = envs.get(`${jobId}:${requestId}`);
  return env === undefined ? definition : withVariables(definition, env);
}

/**
 * For the WHERE of whoever reads pending launches to take one: leaves those out that another node
 * shall run. Takes the own node's name as its one parameter.
 */
export const notForAnotherNode = `NOT EXISTS (SELECT 1 FROM launch_request
    WHERE launch_request.job_id = pending.job_id
      AND launch_request.request_id = pending.request_id AND launch_request.wanted_node <> ?)`;

const requestEnv = rowOf({ jobId: integer, requestId: text, env: jsonOf<JobDefinition['env']>() });
const selectEnvs = `/* readRequestEnvs */ SELECT job_id, request_id, env FROM launch_request
  WHERE (job_id, request_id) IN (?) AND env IS NOT NULL`;
