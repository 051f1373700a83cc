import type { AuditRow, FaultRecord, History, NodeLife, SessionAudit } from '../history.ts';
import { CleanJob } from './cleanJob.ts';
import {
  bootStartMs,
  type CleanPlan,
  type CleanSession,
  cleanSessions,
  databaseStartMs,
  randomOf,
  ttlMs,
} from './cleanWorld.ts';
import { liveJob } from './liveJob.ts';
import { livePolicyJob } from './policyJob.ts';

/** A made-up history in which every promise is kept. */
export function cleanHistory(plan: CleanPlan): History {
  const random = randomOf(plan.seed);
  const sessions = cleanSessions(plan);
  const readMs = bootStartMs + plan.untilMs;
  const databaseOf = clockOf(plan);
  const counters = new Map<string, number>();
  const launchIds = {
    next: ({ sessionId }: CleanSession): string => {
      const number = (counters.get(sessionId) ?? 0) + 1;
      counters.set(sessionId, number);
      return `${sessionId}:${number}`;
    },
  };
  const jobs = plan.jobs.map((planned, index) => {
    const job = new CleanJob(index + 1, planned, databaseOf, launchIds);
    if (planned.policies === undefined) liveJob(job, plan, sessions, random);
    else livePolicyJob(job, plan, sessions, random);
    return job;
  });
  const runs = jobs.flatMap((job) => job.runs);
  runs.sort((a, b) => a.endedDatabaseMs - b.endedDatabaseMs);
  return {
    about: {
      seed: plan.seed,
      engine: 'none',
      nodes: plan.nodes,
      ttlMs,
      compensatorPeriodMs: 2_000,
      reaperPeriodMs: 333,
      scanPeriodMs: 1_000,
      lockWaitMs: 2_000,
      horizonMs: 30_000,
      startedMs: bootStartMs,
      healedMs: readMs - 15_000,
      readMs,
    },
    clock: samplesOf(plan, readMs, databaseOf),
    jobs: jobs.map(({ record }) => record),
    processes: jobs.flatMap(({ processes }) => processes),
    audit: inOrder(jobs, sessions, readMs, databaseOf),
    runs: runs.map((run, index) => ({ runId: index + 1, ...run })),
    slots: jobs.flatMap((job) => job.slot()),
    sessions: sessions
      .filter(({ joinedMs }) => joinedMs < readMs)
      .map(({ sessionId, node, endedMs }) => ({
        sessionId,
        node,
        state: endedMs !== null && endedMs < readMs ? 'ended' : 'live',
        endedWhy: null,
      })),
    pending: jobs.flatMap(({ pending }) => pending),
    operations: jobs.flatMap(({ operations }) => operations),
    faults: faultsOf(plan, sessions),
    lives: sessions.map(lifeOf),
  };
}

/** The database's clock by the boot clock, with its step. */
function clockOf({ step }: CleanPlan): (atMs: number) => number {
  const offsetMs = databaseStartMs - bootStartMs;
  return (atMs) => {
    const isStepped = step !== null && atMs >= bootStartMs + step.atMs;
    return atMs + offsetMs + (isStepped ? step.byMs : 0);
  };
}

function samplesOf({ step }: CleanPlan, readMs: number, databaseOf: (atMs: number) => number) {
  const instants = [bootStartMs - 2_000];
  for (let atMs = bootStartMs; atMs <= readMs; atMs += 1_000) instants.push(atMs);
  const stepMs = step === null ? null : bootStartMs + step.atMs;
  if (stepMs !== null) instants.push(stepMs - 0.001, stepMs);
  instants.sort((a, b) => a - b);
  return instants.map((atMs) => ({ atMs, databaseMs: databaseOf(atMs) }));
}

function inOrder(
  jobs: readonly CleanJob[],
  sessions: readonly CleanSession[],
  readMs: number,
  databaseOf: (atMs: number) => number,
): AuditRow[] {
  const ofSessions = sessions.flatMap((session) => {
    const { sessionId, node, connectionId, joinedMs, endedMs } = session;
    type Told = Pick<SessionAudit, 'before' | 'after' | 'beats'>;
    const row = (atMs: number, told: Told) => {
      const base = { table: 'session', sessionId, node, connectionId } as const;
      return { atMs, row: { ...base, ...told } };
    };
    const joined = row(joinedMs, { before: null, after: 'live', beats: 0 });
    if (endedMs === null) return [joined];
    return [joined, row(endedMs, { before: 'live', after: 'ended', beats: 9 })];
  });
  const rows = [...jobs.flatMap(({ audit }) => audit), ...ofSessions];
  return rows
    .filter(({ atMs }) => atMs <= readMs)
    .sort((a, b) => a.atMs - b.atMs)
    .map(({ atMs, row }, index) => ({ order: index + 1, databaseMs: databaseOf(atMs), ...row }));
}

function faultsOf(plan: CleanPlan, sessions: readonly CleanSession[]): FaultRecord[] {
  const deaths = sessions.flatMap(({ node, diedMs, endedMs }): FaultRecord[] => {
    if (diedMs === null) return [];
    const untilMs = (endedMs ?? diedMs) + 100;
    const told = { kind: 'node killed', target: node, fromMs: diedMs, untilMs };
    return [{ ...told, stops: 'node', detail: '' }];
  });
  const { outage } = plan;
  if (outage === null) return deaths;
  const span = { fromMs: bootStartMs + outage.fromMs, untilMs: bootStartMs + outage.untilMs };
  const kind = { kind: 'database stopped', target: 'database' };
  return [...deaths, { ...kind, ...span, stops: 'everything', detail: '' }];
}

function lifeOf({ node, sessionId, connectionId, ...life }: CleanSession): NodeLife {
  const endedMs = life.diedMs ?? life.endedMs;
  const ending = life.diedMs !== null ? 'killed' : endedMs === null ? null : 'left';
  const startedMs = life.joinedMs - 50;
  return { node, sessionId, processId: 500 + connectionId, startedMs, endedMs, ending };
}
