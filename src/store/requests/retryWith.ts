import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import { auditJob } from '../audit/auditJob.ts';
import type { Channel, ChannelConnection } from '../connection/channel.ts';
import { changeJobInForce } from '../jobs/changeJobInForce.ts';
import { jsonOf, nullable, rowOf, text } from '../rows/row.ts';
import type { RunShown } from '../runs/runRow.ts';
import { insertPending, keepDetails, noPlace, readRequested, wakeJob } from './requestLaunch.ts';
import { requireNode } from './requireNode.ts';

/** A run that has ended, and what is to be another with the next one. */
interface RetryWith {
  readonly run: RunShown & { readonly launchId: string };
  /** Over those of its request, which win over the job's. */
  readonly env: JobDefinition['env'];
  readonly requestId: string;
}

/**
 * Runs what a run was about with other variables. They belong to a request, and the attempts of
 * one tick have one in common: so this is a request of its own, for the same tick on the same
 * node's slots, and the run that was stays as it ended. Idempotent by the request id.
 * @throws OperatorError `job_missing`, `node_away`, `node_not_eligible`, and the like.
 */
export function retryWith(channel: Channel, { run, env, requestId }: RetryWith) {
  const { job: name, launchId, nodeName, scheduledForMs } = run;
  const answer = { job: name, launchId, requestId, attempt: 1 };
  return changeJobInForce(channel, name, {
    ...{ name: 'retryWith', look: `statecron run show ${requestId}` },
    work: async (connection, job) => {
      const { jobId } = job;
      const [known] = await readRequested(connection, jobId, requestId);
      if (known !== undefined) return { ...answer, isNew: false };
      const before = await readDetails(connection, jobId, run.requestId);
      const details = { env: { ...before.env, ...env }, wantedNode: before.wantedNode };
      const slotNodeName = (await requireNode(connection, job, details)) ?? nodeName;
      await keepDetails(connection, jobId, requestId, details);
      const scheduledFor = new Date(scheduledForMs);
      const request = { jobId, requestId, scheduledFor, slotNodeName, trigger: 'manual' } as const;
      if ((await insertPending(connection, request)) === 0) throw noPlace(slotNodeName);
      await wakeJob(connection, jobId);
      const after = { requestId, env: Object.keys(env) };
      await auditJob(connection, job, { action: 'run.retry', target: launchId, after });
      return { ...answer, isNew: true };
    },
  });
}

async function readDetails(connection: ChannelConnection, jobId: number, requestId: string | null) {
  const [found] = await connection.rows(requestDetails, selectDetails, [jobId, requestId ?? '']);
  return { env: found?.env ?? {}, wantedNode: found?.wantedNode ?? null };
}

const requestDetails = rowOf({
  env: nullable(jsonOf<JobDefinition['env']>()),
  wantedNode: nullable(text),
});
const selectDetails = `/* retryWith */ SELECT env, wanted_node FROM launch_request
  WHERE job_id = ? AND request_id = ?`;
