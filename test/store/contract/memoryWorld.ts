import type { Outcome } from '../../../src/domain/errors/outcome.ts';
import { withLowestFormat } from '../../../src/domain/job/edit/definitionFormat.ts';
import { jobDefaults } from '../../../src/domain/job/jobDefinition.ts';
import { allStripes } from '../../../src/domain/run/stripes.ts';
import { NodeLoop } from '../../sim/nodeLoop.ts';
import { changeGroupRow, changeLimitRow } from '../../sim/store/groupRows.ts';
import { holdNodeRows } from '../../sim/store/holdRows.ts';
import { addJobRow, changeJobRow, jobNamed } from '../../sim/store/jobRows.ts';
import { type ChannelParts, MemoryChannel, type Wire } from '../../sim/store/memoryChannel.ts';
import { MemoryServer, type ServerLoad } from '../../sim/store/memoryServer.ts';
import { forgetNodeRows } from '../../sim/store/nodeSlotRows.ts';
import { openMemoryStore } from '../../sim/store/openMemoryStore.ts';
import { runJobRow, stopRunRow } from '../../sim/store/requestRows.ts';
import type { JobRow, RunRow } from '../../sim/store/tables.ts';
import { realTimeline } from '../../sim/timeline.ts';
import type { Scope } from '../../support/createDatabase.ts';
import { joinWith } from '../../support/testNode.ts';
import type { ContractRun, ContractWorld } from './contractWorld.ts';

const soundWire: Wire = {
  isUp: true,
  latencyMs: () => 0.1,
  fate: () => 'through',
  commitDelayMs: () => 0,
};

/**
 * The store of the simulation, on real time and a wire that is always sound.
 * @param load measures what is sent to it
 */
export async function makeMemoryWorld(
  scope: Scope,
  load: ServerLoad | null = null,
): Promise<ContractWorld> {
  const server = new MemoryServer(realTimeline, Date.now(), load);
  const loop = new NodeLoop(realTimeline);
  scope.after(async () => loop.die());
  const bounds = { timeoutMs: 30_000, lockWaitMs: 20_000, silenceMs: 2_000 };
  const parts: ChannelParts = { server, timeline: realTimeline, wire: soundWire, loop, bounds };
  const channel = new MemoryChannel(parts);
  const jobOf = (name: string): JobRow => {
    const job = jobNamed(server.tables, name);
    if (job === undefined) throw new Error(`there is no job ${name}`);
    return job;
  };
  return {
    addJob: async (name, { schedule = '* * * * * *', dueInMs = 0 } = {}) => {
      const nowMs = server.databaseNowMs();
      const dueMs = Math.floor((nowMs + dueInMs) / 1000) * 1000;
      const definition = { ...jobDefaults, name, schedule, command: 'true' };
      const first = { dueMs, inForceFromMs: nowMs - 86_400_000 };
      committedValue(await addJobRow(channel, definition, first));
    },
    ...placers(server, channel, jobOf),
    join: (nodeName, { ttlMs = 45_000, facts = {} } = {}) => {
      const open = (sessionId: string, nextLaunchId: () => string) => {
        const store = openMemoryStore(
          { ...parts, client: nodeName },
          { sessionId, nodeName, nextLaunchId },
        );
        scope.after(() => store.close());
        return store;
      };
      return joinWith(nodeName, ttlMs, open, facts);
    },
    change: async (kind, name, schedule) => {
      const outcome = await changeJobRow(channel, jobOf(name).jobId, kind, (old) => ({
        ...old,
        schedule: schedule ?? old.schedule,
      }));
      return committedValue(outcome).revision;
    },
    pauseFor: async (name, forMs) => {
      const resumeAtMs = server.databaseNowMs() + forMs;
      const { jobId } = jobOf(name);
      committedValue(await changeJobRow(channel, jobId, 'pause', undefined, { resumeAtMs }));
    },
    run: async (name, requestId) =>
      committedValue(await runJobRow(channel, jobOf(name).jobId, requestId)),
    stop: async (launchId) => {
      const answer = committedValue(await stopRunRow(channel, launchId));
      if (answer === 'ended') throw new Error(`${launchId} has ended`);
      return answer;
    },
    hold: async (stripes) => {
      const holder = server.open(600_000, () => undefined);
      const got = server.locks.takeFree(holder, stripes);
      if (got.length !== stripes.length) throw new Error('somebody else holds a stripe');
      return async () => server.close(holder);
    },
    ...agers(server, jobOf),
    ...readers(server),
  };
}

function placers(
  server: MemoryServer,
  channel: MemoryChannel,
  jobOf: (name: string) => JobRow,
): Pick<
  ContractWorld,
  'place' | 'editFields' | 'group' | 'limit' | 'forget' | 'holdNode' | 'nodeSlots'
> {
  const { slots } = server.tables;
  return {
    place: async (name, fields, dueInMs = 0) => {
      const base = { ...jobDefaults, name, schedule: '* * * * * *', command: 'true' };
      const definition = withLowestFormat({ ...base, ...fields });
      const nowMs = server.databaseNowMs();
      const inForceFromMs = nowMs - 86_400_000;
      const { jobId } = committedValue(await addJobRow(channel, definition, { inForceFromMs }));
      const cursorMs = Math.floor((nowMs + dueInMs) / 1000) * 1000;
      for (const slot of slots.values()) {
        if (slot.jobId !== jobId) continue;
        slots.set(slot.slotId, { ...slot, cursorMs, nextRunMs: cursorMs });
      }
    },
    editFields: (name, fields) =>
      changeJobRow(channel, jobOf(name).jobId, 'edit', (old) =>
        withLowestFormat({ ...old, ...fields }),
      ).then(committedValue),
    group: async (group, members) => committedValue(await changeGroupRow(channel, group, members)),
    limit: async (group, concurrencyMax) =>
      committedValue(await changeLimitRow(channel, group, concurrencyMax)),
    forget: async (nodeName) => {
      const outcome = await forgetNodeRows(channel, nodeName, allStripes);
      return outcome.outcome === 'refused' ? outcome.reason : committedValue(outcome);
    },
    holdNode: (how, nodeName) => holdNodeRows(channel, how, nodeName),
    nodeSlots: async (name) => {
      const { jobId } = jobOf(name);
      const found = [...slots.values()].filter((slot) => slot.jobId === jobId);
      return found.map(({ nodeName, state }) => `${nodeName} ${state}`).sort();
    },
  };
}

function agers(
  server: MemoryServer,
  jobOf: (name: string) => JobRow,
): Pick<
  ContractWorld,
  'age' | 'ageSession' | 'ageHistory' | 'historyFrom' | 'followLive' | 'live'
> {
  const { slots, sessions, runs, historyFrom, live } = server.tables;
  return {
    followLive: async (launchId, secondsAgo) => {
      const requestedMs = server.databaseNowMs() - secondsAgo * 1000;
      live.set(launchId, { output: null, outputBytes: 0, ...live.get(launchId), requestedMs });
    },
    live: async (launchId) => {
      const row = live.get(launchId);
      if (row === undefined) return null;
      const text = row.output === null ? null : Buffer.from(row.output).toString();
      return { text, outputBytes: row.outputBytes };
    },
    ageHistory: async (seconds) => {
      for (const run of runs.values()) {
        runs.set(run.runId, { ...run, endedMs: run.endedMs - seconds * 1000 });
      }
    },
    historyFrom: async (name) => historyFrom.get(jobOf(name).jobId) ?? null,
    age: async (name, seconds) => {
      const back = (ms: number | null) => (ms === null ? null : ms - seconds * 1000);
      for (const slot of slots.values()) {
        if (slot.jobId !== jobOf(name).jobId) continue;
        slots.set(slot.slotId, {
          ...slot,
          scheduledForMs: back(slot.scheduledForMs),
          cursorMs: back(slot.cursorMs),
          startedMs: back(slot.startedMs),
          nextRunMs: back(slot.nextRunMs),
        });
      }
    },
    ageSession: async (sessionId, seconds) => {
      const row = sessions.get(sessionId);
      if (row === undefined) throw new Error(`there is no session ${sessionId}`);
      sessions.set(sessionId, { ...row, renewedMs: server.databaseNowMs() - seconds * 1000 });
    },
  };
}

function readers({ tables }: MemoryServer): Pick<ContractWorld, 'slot' | 'runs' | 'pending'> {
  const isOf = (name: string) => {
    const ids = [...tables.jobs.values()].filter((job) => job.name === name);
    return ({ jobId }: { jobId: number }) => ids.some((job) => job.jobId === jobId);
  };
  return {
    slot: async (name) => {
      const [slot, ...others] = [...tables.slots.values()].filter(isOf(name));
      if (slot === undefined || others.length > 0) throw new Error(`${name} has not one slot`);
      const { state, launchId, sessionId, revision, nextRunMs, cursorMs } = slot;
      return { state, launchId, sessionId, revision, nextRunMs, cursorMs };
    },
    runs: async (name) => [...tables.runs.values()].filter(isOf(name)).map(runOf),
    pending: async (name) =>
      [...tables.pending.values()].filter(isOf(name)).map(({ requestId }) => requestId),
  };
}

function runOf(row: RunRow): ContractRun {
  const { launchId, trigger, requestId, revision, isFinal, ticks, result, exitCode } = row;
  const { scheduledForMs, scheduledUntilMs, startedMs, endedMs } = row;
  return {
    ...{ launchId, trigger, requestId, revision, isFinal, ticks, result, exitCode },
    ...{ scheduledForMs, scheduledUntilMs, startedMs, endedMs },
  };
}

function committedValue<T>(outcome: Outcome<T>): T {
  if (outcome.outcome !== 'committed') throw new Error(`the outcome is ${outcome.outcome}`);
  return outcome.value;
}
