import type { Horizon } from '../../../src/domain/commit/nodeStore.ts';
import {
  allHeldParts,
  type DueLook,
  type HeldLook,
  type HeldSlot,
} from '../../../src/domain/run/heldSlot.ts';
import { findDue } from './dueRows.ts';
import { followedIn } from './historyRows.ts';
import type { MemoryChannel } from './memoryChannel.ts';
import type { StoreSession } from './nodeCaches.ts';
import { isOverdue } from './slotRows.ts';
import { countEach } from './stepCounts.ts';
import type { SlotRow } from './tables.ts';
import { takeableRows, viewOf } from './targetingRows.ts';

const overdueSlotsMax = 500;

/** What is due within the horizon, without locks, as `peekDue` looks. */
export function peekDueRows(
  channel: MemoryChannel,
  { caches, sessionId }: StoreSession,
  horizon: Horizon,
  slotsMax: number,
): Promise<DueLook> {
  const { server } = channel.parts;
  const { tables } = server;
  return channel.query('peekDue', ({ counts }) => {
    const nowMs = server.databaseNowMs();
    const idle = {
      until: (untilMs: number) => rowsOf(tables.idleSlots.until(untilMs)),
      ofStripe: (stripe: number, untilMs: number) =>
        rowsOf(tables.idleSlotsByStripe.group(stripe).until(untilMs)),
    };
    const takeable = takeableRows(viewOf(tables), nowMs, sessionId, caches, counts);
    const found = findDue(idle, nowMs, { ...horizon, slotsMax }, takeable, counts);
    return { stripes: [...new Set(found.map(({ stripe }) => stripe))], slots: found.length };
  });
}

/** What the session holds, and what others hold too long, as `lookAtHeld` reads them. */
export async function lookAtHeldRows(
  channel: MemoryChannel,
  sessionId: string,
  parts = allHeldParts,
): Promise<HeldLook> {
  const { server } = channel.parts;
  const { tables } = server;
  const none: HeldSlot[] = [];
  const readOwn = () =>
    channel.query('listHeldSlots', ({ counts }) => {
      const held = countEach(tables.slotsBySession.rows(sessionId), counts, 'held');
      return heldIn(held, server.databaseNowMs());
    });
  const readOverdue = () =>
    channel.query('listOverdueSlots', ({ counts }) => {
      const nowMs = server.databaseNowMs();
      const found: SlotRow[] = [];
      for (const [, slot] of tables.preparedSlots.until(nowMs)) {
        if (found.length === overdueSlotsMax || !isOverdue(slot, nowMs)) break;
        counts.add('overdue');
        if (slot.sessionId !== sessionId) found.push(slot);
      }
      return heldIn(found, nowMs);
    });
  const readFollowed = () => channel.query('listFollowed', () => followedIn(server, sessionId));
  return {
    own: parts.own ? await readOwn() : none,
    overdue: parts.overdue ? await readOverdue() : none,
    followed: parts.followed ? await readFollowed() : [],
  };
}

function* rowsOf<R>(entries: Iterable<readonly [number, R]>): Generator<R> {
  for (const [, row] of entries) yield row;
}

function heldIn(slots: Iterable<SlotRow>, nowMs: number): HeldSlot[] {
  return [...slots].map((slot) => ({
    slotId: slot.slotId,
    stripe: slot.stripe,
    launchId: slot.launchId ?? '',
    stopRequested: slot.stopRequestedMs !== null,
    isOverlapped: slot.state === 'executing' && slot.cursorMs !== null && slot.cursorMs <= nowMs,
    isBehind: (slot.cursorMs ?? Infinity) < (slot.startedMs ?? -Infinity),
  }));
}
