import { randomUUID } from 'node:crypto';
import { OperatorError } from '../../domain/errors/errors.ts';
import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import { reasons } from '../../domain/reasons/reasons.ts';
import { shellWord } from '../../domain/text/quoteForShell.ts';
import { auditJob } from '../audit/auditJob.ts';
import type { Channel, ChannelConnection } from '../connection/channel.ts';
import { changeOnce } from '../idempotency/changeOnce.ts';
import { findJob } from '../jobs/findJob.ts';
import { each, instantMs, integer, nullable, only, rowOf, text } from '../rows/row.ts';
import { showRun } from '../runs/showRun.ts';
import { insertPending, noPlace, wakeJob } from './requestLaunch.ts';
import { retryWith } from './retryWith.ts';

interface RetryRequested {
  readonly job: string;
  readonly launchId: string;
  readonly requestId: string | null;
  /** The number of the attempt that will be made. */
  readonly attempt: number;
  /** False: that attempt is waiting or going on already. */
  readonly isNew: boolean;
}

/**
 * Requests a new attempt of what a run was about: its tick, or its request with all its details.
 * The attempt that was the last is so no more. A repeat while the new one waits or goes on adds
 * nothing. With variables it is a request of its own: see `retryWith`.
 * @throws OperatorError `run_missing`, `run_goes_on`, `no_launch`, `job_missing`, and what
 * `settleOutcome` throws.
 */
export async function retryRun(
  channel: Channel,
  id: string,
  env: JobDefinition['env'] = {},
  newRequestId: string = randomUUID(),
): Promise<RetryRequested> {
  const run = await showRun(channel, id);
  const { job, launchId, requestId } = run;
  if (run.result === null) throw goesOn(id);
  if (launchId === null) throw noLaunch(id);
  if (Object.keys(env).length > 0) {
    return retryWith(channel, { run: { ...run, launchId }, env, requestId: newRequestId });
  }
  const { jobId, stripes } = await findJob(channel, job);
  return changeOnce<RetryRequested>(channel, {
    ...{ name: 'retryRun', lock: stripes, look: `statecron runs --job ${shellWord(job)}` },
    work: async (connection) => {
      const [before] = await connection.rows(retriedRun, selectRun, [launchId, jobId]);
      if (before === undefined) return { refuse: 'run_missing' };
      const { attempt, isNew } = await retry(connection, jobId, before);
      if (isNew)
        await auditJob(connection, jobId, { action, target: launchId, after: { attempt } });
      return { commit: { job, launchId, requestId, attempt, isNew } };
    },
    answers: { action, target: launchId },
    refused: () => otherJob(id, job),
  });
}

const action = 'run.retry';

/** Attempts of one thing have job, node name, tick and request in common. */
async function retry(
  connection: ChannelConnection,
  jobId: number,
  run: ReturnType<typeof retriedRun>,
): Promise<{ attempt: number; isNew: boolean }> {
  const { nodeName, requestId, scheduledForMs, endedMs } = run;
  const scheduledFor = new Date(scheduledForMs);
  const key = [jobId, nodeName, scheduledFor, requestId];
  const [open] = await connection.rows(only(integer), selectOpen, [...key, ...key]);
  if (open !== undefined) return { attempt: open, isNew: false };
  // Later attempts ended later: the history before the run is not read.
  const since = [...key, new Date(endedMs)];
  const [last] = await connection.rows(only(nullable(integer)), selectLast, since);
  const attempt = (last ?? run.attempt) + 1;
  await connection.change(markNotFinal, [reasons.triedAgain, ...since]);
  const request = { jobId, requestId, scheduledFor, attempt, slotNodeName: nodeName };
  const added = await insertPending(connection, { ...request, trigger: 'retry' });
  if (added === 0) throw noPlace(nodeName);
  await wakeJob(connection, jobId);
  return { attempt, isNew: true };
}

function goesOn(id: string): OperatorError {
  const message = `The run ${id} has not ended.`;
  const hint = `See it with: statecron run show ${id}; stop it with: statecron run stop ${id}`;
  return new OperatorError({ code: 'run_goes_on', message, hint });
}

function noLaunch(id: string): OperatorError {
  const message = `The run ${id} started nothing that could be tried again.`;
  const hint = 'Run its ticks with: statecron backfill JOB --from ISO --to ISO';
  return new OperatorError({ code: 'no_launch', message, hint });
}

function otherJob(id: string, job: string): OperatorError {
  const message = `The job of ${id} was removed; ${JSON.stringify(job)} is another one by now.`;
  const hint = `Run the job of today: statecron job run ${shellWord(job)}`;
  return new OperatorError({ code: 'job_missing', message, hint });
}

const retriedRun = rowOf({
  ...each(text, 'nodeName', 'requestId'),
  attempt: integer,
  ...each(instantMs, 'scheduledForMs', 'endedMs'),
});
const selectRun = `/* retryRun */ SELECT node_name, IFNULL(request_id, '') AS request_id, attempt,
    scheduled_for, ended_at AS ended
  FROM run WHERE launch_id = ? AND job_id = ?`;
const selectOpen = `/* retryRun open */ SELECT attempt FROM pending
  WHERE job_id = ? AND node_name = ? AND scheduled_for = ? AND request_id = ?
  UNION ALL SELECT attempt FROM slot WHERE job_id = ? AND node_name = ? AND scheduled_for = ?
    AND IFNULL(request_id, '') = ?`;
const ofSame = `job_id = ? AND node_name = ? AND scheduled_for = ?
    AND IFNULL(request_id, '') = ? AND ended_at >= ?`;
const selectLast = `/* retryRun last */ SELECT MAX(attempt) AS attempt FROM run WHERE ${ofSame}
    AND scheduled_until IS NULL`;
const markNotFinal = `/* retryRun final */ UPDATE run
  SET is_final = 0, reason = LEFT(CONCAT_WS('; ', ?, reason), 500) WHERE ${ofSame}
    AND launch_id IS NOT NULL AND is_final = 1`;
