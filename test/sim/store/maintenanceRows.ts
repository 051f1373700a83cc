import type { Upstream } from '../../../src/domain/job/fieldTable/upstream.ts';
import type { RunResult } from '../../../src/domain/run/run.ts';
import { stripeOfJob } from '../../../src/domain/run/stripes.ts';
import { changeJobRow, isResumeDue, jobNamed } from './jobRows.ts';
import type { MemoryChannel } from './memoryChannel.ts';
import { takeFreeLocks } from './memoryLocks.ts';
import { memoryTransact } from './memoryTransact.ts';
import type { NodeCaches } from './nodeCaches.ts';
import { isKnown, putPendingRows, wakeRows } from './requestRows.ts';
import { type JobRow, type RevisionRow, type RunRow, revisionKey, type Tables } from './tables.ts';
import type { Transaction } from './transaction.ts';

const endsMax = 500;
const waitingMax = 1_000;

/** One round of maintenance, as `Maintenance` runs it: starts by chains, pauses that are over. */
export async function runMaintenanceRows(
  channel: MemoryChannel,
  caches: NodeCaches,
): Promise<number> {
  const { server } = channel.parts;
  const ends = await channel.query('lookAtChains', () => findEnds(server.tables));
  let done = 0;
  for (const jobId of new Set(ends.map((end) => end.jobId))) {
    done += await deliver(
      channel,
      jobId,
      ends.filter((end) => end.jobId === jobId),
    );
  }
  const due = await channel.query('resumeDueJobs', () =>
    [...server.tables.jobsToResume.rows(true)].filter((job) =>
      isResumeDue(job, server.databaseNowMs()),
    ),
  );
  for (const { jobId } of due) {
    const outcome = await changeJobRow(channel, jobId, 'resume', undefined, { onlyWhenDue: true });
    if (outcome.outcome === 'committed') done += 1;
  }
  if (server.load !== null) await tidy(channel, caches);
  return done;
}

const roundsPerTidying = 30;

/** There is nothing to tidy in memory: only what it costs to look. */
async function tidy(channel: MemoryChannel, caches: NodeCaches): Promise<void> {
  const { rounds } = caches;
  caches.rounds += 1;
  if (rounds % roundsPerTidying > 0) return;
  await channel.query('tidy', ({ counts }) => counts.add('firstRound', rounds === 0 ? 1 : 0));
}

interface EndRow {
  readonly jobId: number;
  readonly run: RunRow;
}

function findEnds(tables: Tables): EndRow[] {
  const ends: EndRow[] = [];
  for (const jobId of tables.followers.values()) {
    const job = tables.jobs.get(jobId);
    const links = job === undefined || job.isRemoved ? [] : linksOf(tables, job);
    for (const { upstream, sinceMs } of links) {
      const source = jobNamed(tables, upstream.job);
      for (const run of tables.runsByJob.rows(source?.jobId ?? 0)) {
        const decides = run.nodeName === '' || source?.isEveryNode === true;
        const counts = decides && run.endedMs >= sinceMs;
        if (!counts || !isEnd(run, upstream) || isDealtWith(tables, jobId, run)) continue;
        ends.push({ jobId, run });
      }
    }
  }
  return ends.sort((a, b) => a.run.endedMs - b.run.endedMs).slice(0, endsMax);
}

/** The edges of the revision in force, each since it came into force. */
function linksOf(tables: Tables, job: JobRow): { upstream: Upstream; sinceMs: number }[] {
  const at = (revision: number): RevisionRow | undefined =>
    tables.revisions.get(revisionKey(job.jobId, revision));
  const has = (row: RevisionRow | undefined, { job: name, on }: Upstream): boolean =>
    row?.definition.after?.some((edge) => edge.job === name && edge.on === on) === true;
  return (at(job.revision)?.definition.after ?? []).map((upstream) => {
    let first = job.revision;
    while (has(at(first - 1), upstream)) first -= 1;
    return { upstream, sinceMs: at(first)?.inForceFromMs ?? 0 };
  });
}

const failures: readonly RunResult[] = ['failed', 'timed_out', 'stopped', 'lost'];

function isEnd(run: RunRow, { on }: Upstream): boolean {
  if (!run.isFinal || run.launchId === null || run.startedMs === null) return false;
  const isSuccess = run.result === 'succeeded';
  const isFailure = failures.includes(run.result);
  return on === 'success' ? isSuccess : on === 'failure' ? isFailure : isSuccess || isFailure;
}

function isDealtWith(tables: Tables, jobId: number, { launchId }: RunRow): boolean {
  const requestId = `chain:${launchId}`;
  const isIt = (row: { requestId: string | null }): boolean => row.requestId === requestId;
  return [tables.pendingByJob, tables.slotsByJob, tables.runsByJob].some((index) =>
    [...index.rows(jobId)].some(isIt),
  );
}

async function deliver(
  channel: MemoryChannel,
  jobId: number,
  ends: readonly EndRow[],
): Promise<number> {
  const stripe = stripeOfJob(jobId);
  const outcome = await memoryTransact<number>(channel, async () => {
    const held = await takeFreeLocks(channel, [stripe]);
    if (!held.has(stripe)) return { commit: 0 };
    return channel.step('deliverChains', (transaction) => ({
      commit: start(transaction, jobId, ends),
    }));
  });
  return outcome.outcome === 'committed' ? outcome.value : 0;
}

function start(transaction: Transaction, jobId: number, ends: readonly EndRow[]): number {
  const job = transaction.jobs.get(jobId);
  const revision = transaction.revisions.get(revisionKey(jobId, job?.revision ?? 0));
  if (job === undefined || revision === undefined || job.isRemoved) return 0;
  const { after = [], overlap } = revision.definition;
  const isWaiting = ({ trigger }: { trigger: string }): boolean => trigger === 'chain';
  let waiting = transaction.pendingOfJob(jobId).filter(isWaiting).length;
  let started = 0;
  for (const { run } of ends) {
    const upstream = transaction.jobs.get(run.jobId);
    const isLinked = after.some((edge) => edge.job === upstream?.name);
    const requestId = `chain:${run.launchId}`;
    if (!isLinked || isKnown(transaction, jobId, requestId)) continue;
    const mostWaiting = overlap === 'queue-all' ? waitingMax : 1;
    const reason = job.isPaused
      ? 'the job was paused'
      : waiting >= mostWaiting
        ? 'a start by the job that it follows is waiting already'
        : null;
    if (reason === null) {
      putPendingRows(transaction, { jobId, requestId, trigger: 'chain', atMs: run.endedMs });
      waiting += 1;
      started += 1;
    } else skip(transaction, { jobId, revision: job.revision }, run, reason);
  }
  if (started > 0) wakeRows(transaction, jobId);
  return started;
}

function skip(
  transaction: Transaction,
  { jobId, revision }: { readonly jobId: number; readonly revision: number },
  { launchId, endedMs }: RunRow,
  reason: string,
): void {
  transaction.insertRun({
    ...{ nodeName: '', slotNo: 0 },
    ...{ jobId, revision, launchId: null, sessionId: null, trigger: 'chain', attempt: 1 },
    ...{ requestId: `chain:${launchId}`, isFinal: true, scheduledForMs: endedMs, ticks: 1 },
    ...{ scheduledUntilMs: null, startedMs: null, result: 'skipped', exitCode: null, reason },
  });
}
