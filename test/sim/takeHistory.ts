import { boundsOfTtl } from '../../src/store/openNodeStore.ts';
import type {
  ClockSample,
  FaultRecord,
  History,
  HistoryAbout,
  JobRecord,
  Operation,
} from '../checkers/history.ts';
import { assignRevisions } from '../fault/record/assignRevisions.ts';
import type { Scenario } from './scenario.ts';
import type { SimulatedHost } from './simulatedHost.ts';
import type { Tables } from './store/tables.ts';
import type { World } from './world.ts';

const compensatorPeriodMs = 2_000;
const scanPeriodMs = 1_250;
/** What a start may be late when nothing is wrong. */
const graceMs = 2_500;

/** How long after the heal everything has to be in order again. */
export function settleMs(scenario: Scenario): number {
  const { ttlMs, reaperPeriodMs, lockWaitMs } = periodsOf(scenario);
  return Math.max(ttlMs + reaperPeriodMs, 2 * compensatorPeriodMs) + lockWaitMs + graceMs;
}

/** All ledgers of a world that has come to its end. */
export function takeHistory(parts: {
  readonly world: World;
  readonly hosts: readonly SimulatedHost[];
  readonly clock: readonly ClockSample[];
  readonly operations: readonly Operation[];
  readonly faults: readonly FaultRecord[];
  readonly startMs: number;
}): History {
  const { world, hosts, clock, operations, faults, startMs } = parts;
  const { scenario, server, timeline, children } = world;
  const { tables } = server;
  const about: HistoryAbout = {
    seed: scenario.seed,
    engine: 'memory',
    nodes: scenario.nodes,
    ...periodsOf(scenario),
    horizonMs: scenario.horizonMs,
    startedMs: startMs,
    healedMs: Math.min(startMs + scenario.activeMs, timeline.nowMs()),
    readMs: timeline.nowMs(),
  };
  const jobs = jobRecords(tables);
  const audit = [...server.audit].sort((one, other) => one.order - other.order);
  return {
    about,
    clock,
    jobs,
    processes: assignRevisions(children.observed(), jobs, audit),
    audit,
    ...rowRecords(tables),
    operations,
    faults: faults.map((fault) => untilServing(fault, hosts, about.readMs)),
    lives: hosts.flatMap(({ lives }) => lives),
  };
}

function periodsOf({ ttlMs }: Scenario) {
  const reaperPeriodMs = Math.min(3_000, ttlMs / 15);
  const lockWaitMs = boundsOfTtl(ttlMs).lockWaitSeconds * 1_000;
  return { ttlMs, compensatorPeriodMs, reaperPeriodMs, scanPeriodMs, lockWaitMs };
}

/** How long a command that was cut off holds its stripe: its patience, or the server's. */
const operatorHoldMs = 5_000;
/** A process that ends so soon after a fault ends because of it. */
const deathMs = 1_000;

/** A node that is down because of a fault is down until its next process serves. */
function untilServing(
  fault: FaultRecord,
  hosts: readonly SimulatedHost[],
  readMs: number,
): FaultRecord {
  if (fault.target === 'operator') return { ...fault, untilMs: fault.untilMs + operatorHoldMs };
  const stopped = hosts.filter(({ node }) => fault.stops === 'everything' || node === fault.target);
  const servingMs = stopped.map((host) => servesFrom(host, fault.untilMs) ?? readMs);
  return { ...fault, untilMs: Math.max(fault.untilMs, ...servingMs) };
}

/** The first instant from then on at which the host has a process that serves. */
function servesFrom(host: SimulatedHost, fromMs: number): number | null {
  for (const [place, life] of host.lives.entries()) {
    const servingMs = host.servingFromMs[place] ?? null;
    const endedMs = life.endedMs ?? Number.POSITIVE_INFINITY;
    if (servingMs === null || endedMs <= fromMs + deathMs) continue;
    return Math.max(fromMs, servingMs);
  }
  return null;
}

function jobRecords(tables: Tables): JobRecord[] {
  return [...tables.jobs.values()].map(({ jobId, name }) => ({
    jobId,
    name,
    historyFromDatabaseMs: tables.historyFrom.get(jobId) ?? null,
    revisions: [...tables.revisionsByJob.rows(jobId)].map((row) => ({
      revision: row.revision,
      definition: row.definition,
      paused: row.isPaused,
      reason: row.reason ?? null,
      inForceFromDatabaseMs: row.inForceFromMs,
      inForceUntilDatabaseMs: row.inForceUntilMs,
    })),
  }));
}

function rowRecords(tables: Tables): Pick<History, 'runs' | 'slots' | 'sessions' | 'pending'> {
  return {
    runs: [...tables.runs.values()].map((row) => ({
      runId: row.runId,
      jobId: row.jobId,
      revision: row.revision,
      nodeName: row.nodeName,
      slotNo: row.slotNo,
      launchId: row.launchId,
      sessionId: row.sessionId,
      triggeredBy: row.trigger,
      requestId: row.requestId,
      attempt: row.attempt,
      isFinal: row.isFinal,
      scheduledForDatabaseMs: row.scheduledForMs,
      scheduledUntilDatabaseMs: row.scheduledUntilMs,
      ticks: row.ticks,
      startedDatabaseMs: row.startedMs,
      endedDatabaseMs: row.endedMs,
      result: row.result,
      exitCode: row.exitCode,
      reason: row.reason,
    })),
    slots: [...tables.slots.values()].map((row) => ({
      slotId: row.slotId,
      jobId: row.jobId,
      nodeName: row.nodeName,
      slotNo: row.slotNo,
      createdDatabaseMs: row.createdMs ?? null,
      state: row.state,
      launchId: row.launchId,
      sessionId: row.sessionId,
      scheduledForDatabaseMs: row.scheduledForMs,
      triggeredBy: row.trigger,
      requestId: row.requestId,
      attempt: row.attempt,
      cursorDatabaseMs: row.cursorMs,
    })),
    pending: [...tables.pending.values()].map((row) => ({
      jobId: row.jobId,
      nodeName: row.nodeName,
      triggeredBy: row.trigger,
      scheduledForDatabaseMs: row.scheduledForMs,
      attempt: row.attempt,
      requestId: row.requestId,
      notBeforeDatabaseMs: row.notBeforeMs,
    })),
    sessions: [...tables.sessions.values()].map((row) => ({
      sessionId: row.sessionId,
      node: row.nodeName,
      state: row.isLive ? 'live' : 'ended',
      endedWhy: row.endedWhy,
    })),
  };
}
