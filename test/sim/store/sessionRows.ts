import type { SessionIntroduction, SessionsLook } from '../../../src/domain/commit/nodeStore.ts';
import { committed, type Outcome, refused, unknown } from '../../../src/domain/errors/outcome.ts';
import { definitionFormat } from '../../../src/domain/job/edit/definitionFormat.ts';
import { sessionLockId } from '../../../src/domain/run/stripes.ts';
import { plainNode } from '../../../src/domain/targeting/nodeFacts.ts';
import { DatabaseError } from './databaseError.ts';
import type { MemoryChannel } from './memoryChannel.ts';
import { takeLocks, takeRow } from './memoryLocks.ts';
import { memoryTransact } from './memoryTransact.ts';
import { bumpSessionsRow, bumpVersion } from './targetingRows.ts';

/** Makes the session live, as `joinSession` does it. */
export function joinRow(
  channel: MemoryChannel,
  introduction: SessionIntroduction,
): Promise<Outcome<null>> {
  const { sessionId, nodeName, ttlMs, level, labels, users = null } = introduction;
  return memoryTransact<null>(channel, async () => {
    await takeLocks(channel, [sessionLockId]);
    return channel.step('joinSession', (transaction) => {
      for (const row of transaction.sessions()) {
        const isRival = row.isLive && row.nodeName === nodeName && row.sessionId !== sessionId;
        if (isRival) return { refuse: row.sessionId };
      }
      const own = transaction.session(sessionId);
      if (own !== undefined && !own.isLive) throw new Error('the session ended before it joined');
      if (own === undefined) {
        transaction.putSession({
          sessionId,
          ...plainNode,
          ...heldFacts(channel.parts.server.tables.holds.has(nodeName)),
          nodeName,
          level: level ?? plainNode.level,
          labels: labels ?? plainNode.labels,
          definitionFormat,
          users,
          ttlMs,
          isLive: true,
          beats: 0,
          renewedMs: transaction.nowMs(),
          endedWhy: null,
          isReaped: false,
        });
      }
      bumpVersion(transaction, 'sessions');
      return { commit: null };
    });
  });
}

/** One heartbeat, as `renewSession` does it: waits only for who is writing this very row. */
export async function renewRow(
  channel: MemoryChannel,
  sessionId: string,
  ackedBeats: number,
  beats: number,
): Promise<Outcome<null>> {
  const { server } = channel.parts;
  try {
    const isRenewed = await channel.query('renewSession', async (session) => {
      await takeRow(channel, session, sessionId);
      const row = server.tables.sessions.get(sessionId);
      const mayRenew = row?.isLive === true && row.beats >= ackedBeats && row.beats <= beats - 1;
      if (row !== undefined && mayRenew) {
        const renewedMs = server.databaseNowMs();
        server.tables.sessions.set(sessionId, { ...row, beats, renewedMs });
      }
      server.locks.release(session);
      return mayRenew;
    });
    return isRenewed ? committed(null) : refused('the session is not live any more');
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    return unknown(error);
  }
}

/** Marks a session ended, as `endSession` does it. */
export function endRow(
  channel: MemoryChannel,
  sessionId: string,
  why: string,
  beatsSeen: number | null,
): Promise<Outcome<null>> {
  return memoryTransact<null>(channel, async () => {
    await takeLocks(channel, [sessionLockId]);
    return channel.step('endSession', async (transaction, session) => {
      await takeRow(channel, session, sessionId);
      const row = transaction.session(sessionId);
      const isOver = row === undefined || !row.isLive;
      if (isOver || (beatsSeen !== null && row.beats !== beatsSeen)) {
        return { refuse: 'the session is not live, or renewed' };
      }
      transaction.putSession({ ...row, isLive: false, endedWhy: why });
      bumpVersion(transaction, 'sessions');
      return { commit: null };
    });
  });
}

/** The live sessions, and the ended ones that are not reaped. */
export function listRows(channel: MemoryChannel, only?: readonly string[]): Promise<SessionsLook> {
  const { server } = channel.parts;
  return channel.query('listSessions', ({ counts }) => {
    const { openSessions, sessions: all, targetingVersion: versions } = server.tables;
    const rows =
      only === undefined
        ? [...openSessions.rows(true)]
        : only.flatMap((id) => all.get(id) ?? []).filter(({ isReaped }) => !isReaped);
    if (only !== undefined) counts.add('isOnly');
    counts.add('openSessions', rows.length);
    const sessions = rows.map(({ renewedMs: _, endedWhy: __, isReaped: ___, ...seen }) => seen);
    const databaseNowMs = rows.length === 0 ? null : server.exactNowMs();
    const targetingVersion = versions.get('version') ?? 0;
    const sessionsVersion = versions.get('sessions') ?? 0;
    return { sessions, databaseNowMs, targetingVersion, sessionsVersion };
  });
}

/** Says that the node is about to leave, as `markDraining` does it. */
export async function markDrainingRow(channel: MemoryChannel, sessionId: string): Promise<number> {
  const { server } = channel.parts;
  const changed = await channel.query('markDraining', async (session) => {
    await takeRow(channel, session, sessionId);
    const row = server.tables.sessions.get(sessionId);
    const isLive = row?.isLive === true;
    if (isLive) server.tables.sessions.set(sessionId, { ...row, ...leaving });
    server.locks.release(session);
    return isLive ? 1 : 0;
  });
  await bumpSessionsRow(channel);
  return changed;
}

const leaving = { isDraining: true, isCordoned: false };

/** What the session of a node is that is cordoned, or not. */
export function heldFacts(isHeld: boolean) {
  return { isDraining: isHeld, isCordoned: isHeld };
}

export function markReapedRow(channel: MemoryChannel, sessionId: string): Promise<number> {
  const { server } = channel.parts;
  return channel.query('markReaped', async (session) => {
    await takeRow(channel, session, sessionId);
    const row = server.tables.sessions.get(sessionId);
    const isDone = row !== undefined && !row.isLive && !row.isReaped;
    if (isDone) server.tables.sessions.set(sessionId, { ...row, isReaped: true });
    server.locks.release(session);
    return isDone ? 1 : 0;
  });
}
