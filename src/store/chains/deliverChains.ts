import { reasons } from '../../domain/reasons/reasons.ts';
import { stripeOfJob } from '../../domain/run/stripes.ts';
import type { Channel, ChannelConnection } from '../connection/channel.ts';
import { type JobInForce, readJobInForce } from '../jobs/findJob.ts';
import {
  insertPending,
  keepDetails,
  type LaunchRequest,
  recordSkippedRequest,
  wakeJob,
} from '../requests/requestLaunch.ts';
import { integer, only } from '../rows/row.ts';
import { takeFreeStripes } from '../transaction/takeStripes.ts';
import { transact } from '../transaction/transact.ts';
import { type ChainEnd, chainRequestId, keepSweep, readChainEnds } from './readChainEnds.ts';

/**
 * Starts the jobs that follow others, once for each end of an upstream: a pending launch and the
 * note of it are one transaction under the follower's own stripe. One job's stripe at a time and
 * none of the upstream's, so that nothing can deadlock; what is busy is found again by the next
 * look, of any node. Resolves to how many launches were requested.
 */
export async function deliverChains(channel: Channel): Promise<number> {
  const look = await readChainEnds(channel);
  if (look.lookedMs === null) return 0;
  const byJob = new Map<number, ChainEnd[]>();
  for (const end of look.ends) byJob.set(end.jobId, [...(byJob.get(end.jobId) ?? []), end]);
  let started = 0;
  let isSettled = look.isComplete;
  for (const ends of byJob.values()) {
    const delivered = await deliver(channel, ends);
    isSettled &&= delivered !== null;
    started += delivered ?? 0;
  }
  if (isSettled) await keepSweep(channel, look.lookedMs);
  return started;
}

/** Null: the stripe was busy, or nobody knows; the next look shows. */
async function deliver(channel: Channel, ends: readonly ChainEnd[]): Promise<number | null> {
  const [first] = ends;
  if (first === undefined) return 0;
  const { jobId } = first;
  const stripe = first.stripe ?? stripeOfJob(jobId);
  const outcome = await transact<number | null>(channel, 'deliverChains', async (connection) => {
    const held = await takeFreeStripes(connection, [stripe]);
    if (!held.has(stripe)) return { commit: null };
    const job = await readJobInForce(connection, jobId);
    if (job === null) return { commit: 0 };
    return { commit: await start(connection, job, ends) };
  });
  return outcome.outcome === 'committed' ? outcome.value : null;
}

async function start(
  connection: ChannelConnection,
  job: JobInForce,
  ends: readonly ChainEnd[],
): Promise<number> {
  const { jobId } = job;
  const upstreams = new Set(job.definition.after?.map((upstream) => upstream.job));
  const [before = 0] = await connection.rows(only(integer), countWaiting, [jobId]);
  const mostWaiting = job.definition.overlap === 'queue-all' ? waitingMax : 1;
  let waiting = before;
  let started = 0;
  for (const end of ends) {
    if (!upstreams.has(end.upstream)) continue; // an edit took the edge away meanwhile
    const requestId = chainRequestId(end.launchId);
    const env = envOf(end);
    const isNew = await keepDetails(connection, jobId, requestId, { env, wantedNode: null });
    if (!isNew) continue;
    const scheduledFor = new Date(end.endedMs);
    const request: LaunchRequest = { jobId, requestId, trigger: 'chain', scheduledFor };
    let reason = waiting >= mostWaiting ? reasons.chainWaits : null;
    if (job.definition.observed === true) reason = reasons.observed;
    if (job.isPaused) reason = reasons.paused;
    if (reason === null && (await insertPending(connection, request)) > 0) {
      waiting += 1;
      started += 1;
      continue;
    }
    await recordSkippedRequest(connection, request, job.revision, reason ?? reasons.noPlace);
  }
  if (started > 0) await wakeJob(connection, jobId);
  return started;
}

/** With `queue-all`; the history says of each further one that it was skipped. */
const waitingMax = 1_000;

function envOf({ upstream, launchId, result }: ChainEnd) {
  return {
    STATECRON_UPSTREAM_JOB: upstream,
    STATECRON_UPSTREAM_LAUNCH_ID: launchId,
    STATECRON_UPSTREAM_RESULT: result,
  };
}

const countWaiting = `/* deliverChains waiting */ SELECT COUNT(DISTINCT request_id)
  FROM pending WHERE job_id = ? AND triggered_by = 'chain'`;
