import { Channel, type ChannelBounds } from '../connection/channel.ts';
import type { DatabaseAddress } from '../connection/databaseAddress.ts';
import { type HeldSlotShown, readHeldSlots } from './readHeldSlots.ts';
import {
  type HistoryBounds,
  type HistoryScope,
  type RunEvent,
  readHistoryBounds,
  readRunsAfter,
  readRunsAmong,
  readSettledRun,
} from './readRunEvents.ts';
import { readSessionEvents, type SessionEvent } from './readSessionEvents.ts';

/** Everything that a stream of events asks of the database: reads alone, without locks. */
export interface EventReader {
  settledRun(ageMs: number): Promise<number>;
  runsAfter(after: number, until: number, rowsMax: number): Promise<RunEvent[]>;
  runsAmong(runIds: readonly number[]): Promise<RunEvent[]>;
  historyBounds(scope: HistoryScope): Promise<HistoryBounds>;
  heldSlots(slotsMax: number): Promise<HeldSlotShown[]>;
  sessions(sinceMs: number): Promise<{ sessions: SessionEvent[]; nowMs: number }>;
  close(): Promise<void>;
}

/** Nothing depends on these reads: they wait longer than a node's own, and lock nothing. */
const bounds: ChannelBounds = { timeoutMs: 5_000, lockWaitSeconds: 1, silenceSeconds: 15 };

/** Opens a connection of its own for reading events, at the first use. */
export function openEventReader(address: DatabaseAddress, name: string): EventReader {
  const channel = new Channel(name, address, bounds);
  return {
    settledRun: (ageMs) => readSettledRun(channel, ageMs),
    runsAfter: (after, until, rowsMax) => readRunsAfter(channel, after, until, rowsMax),
    runsAmong: (runIds) => readRunsAmong(channel, runIds),
    historyBounds: (scope) => readHistoryBounds(channel, scope),
    heldSlots: (slotsMax) => readHeldSlots(channel, slotsMax),
    sessions: (sinceMs) => readSessionEvents(channel, sinceMs),
    close: () => channel.close(),
  };
}
