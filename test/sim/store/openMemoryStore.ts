import type { NodeStore } from '../../../src/domain/commit/nodeStore.ts';
import type { LateStore } from '../../../src/domain/run/lateResult.ts';
import { commitRows } from './commitRows.ts';
import { cleanRows, writeLiveRows } from './historyRows.ts';
import { findLaunchRows, recordLateRow } from './lateRows.ts';
import { lookAtHeldRows, peekDueRows } from './lookRows.ts';
import { runMaintenanceRows } from './maintenanceRows.ts';
import { type ChannelParts, MemoryChannel } from './memoryChannel.ts';
import type { StoreSession } from './nodeCaches.ts';
import { NodeCaches } from './nodeCaches.ts';
import { ensureNodeSlotRows } from './nodeSlotRows.ts';
import {
  endRow,
  joinRow,
  listRows,
  markDrainingRow,
  markReapedRow,
  renewRow,
} from './sessionRows.ts';
import { bumpSessionsRow } from './targetingRows.ts';

export interface MemoryStore extends NodeStore, LateStore {
  /** There are no notifications in memory: only a look for what is due. */
  lookForNotifications(): Promise<void>;
  /** The process is gone: so are its connections. */
  cut(): void;
}

/** A node's store on the memory server: a connection for each purpose, as in `openNodeStore`. */
export function openMemoryStore(parts: ChannelParts, opened: StoreSession): MemoryStore {
  const caches = new NodeCaches();
  const session = { ...opened, caches };
  const heartbeat = new MemoryChannel(parts, true);
  const committer = new MemoryChannel(parts, true);
  const observer = new MemoryChannel(parts, true);
  const courier = new MemoryChannel(parts);
  const cleaner = new MemoryChannel(parts);
  const recorder = new MemoryChannel(parts);
  const channels = [cleaner, heartbeat, committer, observer, recorder, courier];
  const { server } = parts;
  const cut = (): void => {
    for (const channel of channels) channel.destroy();
  };
  return {
    joinSession: (introduction) => joinRow(observer, introduction),
    renewSession: (acked, beats) => renewRow(heartbeat, session.sessionId, acked, beats),
    endSession: (sessionId, why, beatsSeen) => endRow(observer, sessionId, why, beatsSeen),
    listSessions: (only) => listRows(observer, only),
    bumpSessionsVersion: () => bumpSessionsRow(observer),
    markReaped: (sessionId) => markReapedRow(observer, sessionId),
    markDraining: () => markDrainingRow(observer, session.sessionId),
    ensureNodeSlots: () => ensureNodeSlotRows(observer, caches, session.sessionId),
    peekDue: (horizon, slotsMax) => peekDueRows(observer, session, horizon, slotsMax),
    lookAtHeld: (parts) => lookAtHeldRows(observer, session.sessionId, parts),
    writeOutputs: (outputs) =>
      committer.query('writeOutputs', ({ counts }) => {
        counts.add('outputs', outputs.length);
        for (const { launchId, output } of outputs) server.tables.outputs.set(launchId, output);
      }),
    commitBatch: (requests) => commitRows(committer, session, requests),
    findLaunches: (launchIds) => findLaunchRows(recorder, launchIds),
    recordLate: (result) => recordLateRow(recorder, result),
    writeLive: (outputs) => recorder.query('writeLive', () => writeLiveRows(server, outputs)),
    cleanHistory: (keep) => cleanRows(cleaner, session.sessionId, keep),
    runMaintenance: () => runMaintenanceRows(courier, caches),
    reportActivity: () => recorder.query('reportActivity', () => undefined),
    lookForNotifications: () => observer.query('takeNotifications', () => undefined),
    statements: () => channels.reduce((sum, channel) => sum + channel.statements, 0),
    close: async () => cut(),
    cut,
  };
}
