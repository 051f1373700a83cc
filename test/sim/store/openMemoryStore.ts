import type { NodeStore } from '../../../src/domain/commit/nodeStore.ts';
import type { LateStore } from '../../../src/domain/run/lateResult.ts';
import { findDue, type StoreSession } from './claimRows.ts';
import { commitRows } from './commitRows.ts';
import { cleanRows, followedIn, writeLiveRows } from './historyRows.ts';
import { findLaunchRows, recordLateRow } from './lateRows.ts';
import { runMaintenanceRows } from './maintenanceRows.ts';
import { type ChannelParts, MemoryChannel } from './memoryChannel.ts';
import { ensureNodeSlotRows } from './nodeSlotRows.ts';
import {
  endRow,
  joinRow,
  listRows,
  markDrainingRow,
  markReapedRow,
  renewRow,
} from './sessionRows.ts';
import { isOverdue } from './slotRows.ts';
import type { SlotRow } from './tables.ts';
import { takeableRows, viewOf } from './targetingRows.ts';

const overdueSlotsMax = 500;

export interface MemoryStore extends NodeStore, LateStore {
  /** The process is gone: so are its connections. */
  cut(): void;
}

/** A node's store on the memory server: a connection for each purpose, as in `openNodeStore`. */
export function openMemoryStore(parts: ChannelParts, session: StoreSession): MemoryStore {
  const heartbeat = new MemoryChannel(parts);
  const committer = new MemoryChannel(parts);
  const observer = new MemoryChannel(parts);
  const courier = new MemoryChannel(parts);
  const cleaner = new MemoryChannel(parts);
  const channels = [cleaner, heartbeat, committer, observer, courier];
  const { server } = parts;
  const cut = (): void => {
    for (const channel of channels) channel.destroy();
  };
  return {
    joinSession: (introduction) => joinRow(observer, introduction),
    renewSession: (acked, beats) => renewRow(heartbeat, session.sessionId, acked, beats),
    endSession: (sessionId, why, beatsSeen) => endRow(observer, sessionId, why, beatsSeen),
    listSessions: () => listRows(observer),
    markReaped: (sessionId) => markReapedRow(observer, sessionId),
    markDraining: () => markDrainingRow(observer, session.sessionId),
    ensureNodeSlots: () => ensureNodeSlotRows(observer, session.sessionId),
    peekDue: (horizon, slotsMax) =>
      observer.query('peekDue', () => {
        const found = findDue(
          server.tables.slots.values(),
          server.databaseNowMs(),
          horizon,
          slotsMax,
          takeableRows(viewOf(server.tables), server.databaseNowMs(), session.sessionId),
        );
        return { stripes: [...new Set(found.map(({ stripe }) => stripe))], slots: found.length };
      }),
    lookAtHeld: async () => {
      const own = await observer.query('listHeldSlots', () =>
        heldIn(
          server.tables.slots.values(),
          server.databaseNowMs(),
          (slot) => slot.sessionId === session.sessionId,
        ),
      );
      const overdue = await observer.query('listOverdueSlots', () => {
        const nowMs = server.databaseNowMs();
        return heldIn(
          server.tables.slots.values(),
          nowMs,
          (slot) =>
            slot.state === 'prepare' &&
            slot.sessionId !== session.sessionId &&
            isOverdue(slot, nowMs),
        ).slice(0, overdueSlotsMax);
      });
      const followed = await observer.query('listFollowed', () =>
        followedIn(server, session.sessionId),
      );
      return { own, overdue, followed };
    },
    writeOutputs: (outputs) =>
      committer.query('writeOutputs', () => {
        for (const { launchId, output } of outputs) server.tables.outputs.set(launchId, output);
      }),
    commitBatch: (requests) => commitRows(committer, session, requests),
    findLaunches: (launchIds) => findLaunchRows(observer, launchIds),
    recordLate: (result) => recordLateRow(observer, result),
    writeLive: (outputs) => observer.query('writeLive', () => writeLiveRows(server, outputs)),
    cleanHistory: (keep) => cleanRows(cleaner, session.sessionId, keep),
    runMaintenance: () => runMaintenanceRows(courier),
    reportActivity: () => observer.query('reportActivity', () => undefined),
    statements: () => channels.reduce((sum, channel) => sum + channel.statements, 0),
    close: async () => cut(),
    cut,
  };
}

function heldIn(slots: Iterable<SlotRow>, nowMs: number, test: (slot: SlotRow) => boolean) {
  return [...slots].filter(test).map((slot) => ({
    slotId: slot.slotId,
    stripe: slot.stripe,
    launchId: slot.launchId ?? '',
    stopRequested: slot.stopRequestedMs !== null,
    isOverlapped: slot.state === 'executing' && slot.cursorMs !== null && slot.cursorMs <= nowMs,
    isBehind: (slot.cursorMs ?? Infinity) < (slot.startedMs ?? -Infinity),
  }));
}
