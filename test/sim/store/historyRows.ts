import {
  type CleaningStep,
  cleanableUntil,
  comesBefore,
  type HistoryKeep,
  keepOfJob,
  keptSinceMs,
  type LiveOutput,
  nothingToClean,
  type RunPlace,
} from '../../../src/domain/commit/historyKeep.ts';
import type { MemoryChannel } from './memoryChannel.ts';
import type { MemoryServer } from './memoryServer.ts';
import { type JobRow, type RunRow, revisionKey, type Tables } from './tables.ts';

const turnMs = 60_000;
const followedMs = 10_000;
const followedMsMax = 60_000;

/** One step of cleaning, as `HistoryCleaner` takes it: first the jobs, then the rest. */
export async function cleanRows(
  channel: MemoryChannel,
  sessionId: string,
  keep: HistoryKeep,
): Promise<CleaningStep> {
  const { server } = channel.parts;
  const { cleaning } = server.tables;
  const isTaken = await channel.query('takeCleaning', () => {
    const nowMs = server.databaseNowMs();
    const isHeld = cleaning.untilMs > nowMs && cleaning.sessionId !== sessionId;
    const isDue = cleaning.dueMs <= nowMs || cleaning.untilMs + keep.periodMs <= nowMs;
    if (isHeld || !isDue) return false;
    cleaning.sessionId = sessionId;
    cleaning.untilMs = nowMs + turnMs;
    return true;
  });
  if (!isTaken) return nothingToClean;
  if (!cleaning.areJobsDone) {
    const rows = await channel.query('cleanJobs', () => cleanJobRows(server, keep));
    await channel.query('moveCleaning', () => {
      if (cleaning.sessionId === sessionId) cleaning.areJobsDone = true;
    });
    return { isMore: true, rows, tookMs: 0, isBehind: false };
  }
  const rows = await channel.query('cleanLeftovers', () => cleanRest(server, keep));
  await channel.query('finishCleaning', () => {
    if (cleaning.sessionId !== sessionId) return;
    const nowMs = server.databaseNowMs();
    Object.assign(cleaning, { areJobsDone: false, untilMs: nowMs, dueMs: nowMs + keep.periodMs });
  });
  return { isMore: false, rows, tookMs: 0, isBehind: false };
}

/** Launches of the session whose output is followed, as `listFollowed` reads them. */
export function followedIn(server: MemoryServer, sessionId: string): string[] {
  const sinceMs = server.databaseNowMs() - followedMs;
  return [...server.tables.live].flatMap(([launchId, row]) =>
    launchId.startsWith(`${sessionId}:`) && row.requestedMs > sinceMs ? [launchId] : [],
  );
}

/** As `writeLive` does it. */
export function writeLiveRows({ tables }: MemoryServer, outputs: readonly LiveOutput[]): void {
  for (const { launchId, output, outputBytes } of outputs) {
    const row = tables.live.get(launchId);
    if (row !== undefined) tables.live.set(launchId, { ...row, output, outputBytes });
  }
}

function cleanJobRows(server: MemoryServer, keep: HistoryKeep): number {
  const { tables } = server;
  let rows = 0;
  for (const jobId of [...tables.runsByJob.values()]) {
    const job = tables.jobs.get(jobId);
    if (job === undefined) continue;
    const { definition } = tables.revisions.get(revisionKey(job.jobId, job.revision)) ?? {};
    const { days, runs } = keepOfJob(definition ?? {}, keep);
    const surplus = surplusOf(tables, job, { days, runs, nowMs: server.databaseNowMs() });
    for (const run of surplus) {
      tables.runs.delete(run.runId);
      if (run.launchId !== null) tables.runIds.delete(run.launchId);
      if (run.launchId !== null) tables.outputs.delete(run.launchId);
      const fromMs = (run.scheduledUntilMs ?? run.scheduledForMs) + 1;
      const before = tables.historyFrom.get(job.jobId) ?? Number.NEGATIVE_INFINITY;
      tables.historyFrom.set(job.jobId, Math.max(before, fromMs));
    }
    rows += surplus.length;
  }
  return rows;
}

function surplusOf(
  tables: Tables,
  job: JobRow,
  kept: { readonly days: number; readonly runs: number; readonly nowMs: number },
): RunRow[] {
  const runs = [...tables.runsByJob.rows(job.jobId)].sort((one, other) =>
    comesBefore(one, other) ? 1 : -1,
  );
  const until = cleanableUntil(kept.days, runs[kept.runs] ?? null, kept.nowMs);
  const last = runs.find(({ result }) => result !== 'skipped' && result !== 'missed');
  const stays = (run: RunRow): boolean => {
    if (!job.isRemoved && (run === runs[0] || run === last)) return true;
    return !run.isFinal && isGoingOn(tables, run);
  };
  const isOld = (place: RunPlace) => !comesBefore(until, place);
  return runs.filter((run) => isOld(run) && !stays(run));
}

/** The tick of the attempt is due again, or executes. */
function isGoingOn(tables: Tables, { jobId, scheduledForMs }: RunRow): boolean {
  const rows = [...tables.pendingByJob.rows(jobId), ...tables.slotsByJob.rows(jobId)];
  return rows.some((row) => row.scheduledForMs === scheduledForMs);
}

/** Without ages of outputs, which nothing in memory has, and with the last beat for an end. */
function cleanRest(server: MemoryServer, keep: HistoryKeep): number {
  const { tables } = server;
  const nowMs = server.databaseNowMs();
  let rows = 0;
  for (const [launchId, { requestedMs }] of tables.live) {
    if (requestedMs < nowMs - followedMsMax && tables.live.delete(launchId)) rows += 1;
  }
  const named = new Set([...tables.runs.values(), ...tables.slots.values()].map(sessionOf));
  for (const { sessionId, isReaped, renewedMs } of tables.sessions.values()) {
    const isOld = isReaped && renewedMs < keptSinceMs(keep.days, nowMs);
    if (isOld && !named.has(sessionId) && tables.sessions.delete(sessionId)) rows += 1;
  }
  return rows;
}

function sessionOf({ sessionId }: { readonly sessionId: string | null }): string | null {
  return sessionId;
}
