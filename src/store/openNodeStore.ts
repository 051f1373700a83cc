import type { NodeStore } from '../domain/commit/nodeStore.ts';
import type { NotificationStore } from '../domain/notifications/notificationStore.ts';
import { allHeldParts } from '../domain/run/heldSlot.ts';
import type { LateStore } from '../domain/run/lateResult.ts';
import { Outages } from '../domain/time/outages.ts';
import { writeActivity } from './activity/writeActivity.ts';
import { Channel, type ChannelBounds } from './connection/channel.ts';
import type { DatabaseAddress } from './connection/databaseAddress.ts';
import { HistoryCleaner } from './history/historyCleaner.ts';
import { commitBatch } from './lifecycle/commitBatch.ts';
import type { SlotContext } from './lifecycle/slotContext.ts';
import { Maintenance } from './maintenance/maintenance.ts';
import {
  settleNotifications,
  takeNotifications,
} from './notifications/delivery/takeNotifications.ts';
import { NotificationCache } from './notifications/notificationCache.ts';
import { listFollowed, writeLive } from './runs/liveOutput.ts';
import { findLaunches, recordLate } from './runs/recordLate.ts';
import {
  endSession,
  joinSession,
  listSessions,
  markDraining,
  markReaped,
  renewSession,
} from './sessions/sessions.ts';
import { type OnForeign, RevisionCache } from './slots/revisionCache.ts';
import { writeOutputs } from './slots/writeOutputs.ts';
import { ensureNodeSlots } from './targeting/ensureNodeSlots.ts';
import { listHeldSlots, listOverdueSlots, peekDue } from './targeting/peekSlots.ts';
import { TargetingCache } from './targeting/targetingCache.ts';
import { bumpSessionsVersion } from './targeting/versions.ts';

const overdueSlotsMax = 500;
/** More than a node tells of at once, see LiveOutputs. */
const followedMax = 50;
/** No renewal depends on it; its transactions hold nothing that a slot's waits for, but briefly. */
const cleanerBounds: ChannelBounds = { timeoutMs: 10_000, lockWaitSeconds: 1, silenceSeconds: 15 };

/** Whose store it is. */
interface StoreSession {
  readonly sessionId: string;
  readonly nodeName: string;
  readonly ttlMs: number;
  readonly nextLaunchId: () => string;
  /** Told of jobs that are left to nodes of another version. */
  readonly onForeign?: OnForeign;
  /** When this node had no answer from the database, as its heartbeat notes it. */
  readonly outages?: Outages;
}

/**
 * Opens a node's store: a connection for each purpose, so that a slow batch holds up neither
 * a heartbeat nor a look. Nothing is sent before the first use.
 */
export function openNodeStore(
  address: DatabaseAddress,
  session: StoreSession,
): NodeStore & LateStore & NotificationStore {
  const bounds = boundsOfTtl(session.ttlMs);
  const kept = { ...bounds, staysOpen: true };
  const heartbeat = new Channel('heartbeat', address, kept);
  const committer = new Channel('committer', address, kept);
  const observer = new Channel('observer', address, kept);
  // Opened by the first use, as all are: most nodes never have anything late to tell.
  const recorder = new Channel('recorder', address, bounds);
  const revisions = new RevisionCache(undefined, session.onForeign);
  const targeting = new TargetingCache();
  const notifications = new NotificationCache();
  const fullAt = new Map<string, number>();
  const { outages = new Outages() } = session;
  const caches = { revisions, targeting, notifications, fullAt };
  const context: SlotContext = { ...session, ...caches, outages };
  const courier = new Channel('courier', address, bounds);
  const maintenance = new Maintenance(courier);
  const cleaner = new Channel('cleaner', address, cleanerBounds);
  const history = new HistoryCleaner(cleaner, session.sessionId);
  const notifier = new Channel('notifier', address, bounds);
  const channels = [cleaner, heartbeat, committer, observer, recorder, courier, notifier];
  return {
    joinSession: (introduction) => joinSession(observer, introduction),
    renewSession: (acked, beats) => renewSession(heartbeat, session.sessionId, acked, beats),
    endSession: (sessionId, why, beatsSeen) => {
      const isOwn = sessionId === session.sessionId;
      return endSession(observer, sessionId, why, beatsSeen, isOwn ? null : notifications);
    },
    listSessions: (only) => listSessions(observer, only),
    bumpSessionsVersion: () => bumpSessionsVersion(observer),
    markReaped: (sessionId) => markReaped(observer, sessionId),
    markDraining: () => markDraining(observer, session.sessionId),
    ensureNodeSlots: () => ensureNodeSlots(observer, targeting, session.sessionId),
    peekDue: (horizon, slotsMax) => peekDue(observer, caches, session.sessionId, horizon, slotsMax),
    lookAtHeld: async ({ own, overdue, followed } = allHeldParts) => ({
      own: own ? await listHeldSlots(observer, session.sessionId) : [],
      overdue: overdue ? await listOverdueSlots(observer, session.sessionId, overdueSlotsMax) : [],
      followed: followed ? await listFollowed(observer, session.sessionId, followedMax) : [],
    }),
    writeOutputs: (outputs) => writeOutputs(committer, outputs),
    commitBatch: (requests) => commitBatch(committer, context, requests),
    findLaunches: (launchIds) => findLaunches(recorder, launchIds),
    recordLate: (result) => recordLate(recorder, result, notifications),
    writeLive: (outputs) => writeLive(recorder, outputs),
    cleanHistory: (keep) => history.step(keep),
    runMaintenance: () => maintenance.run(),
    takeNotifications: (kinds) =>
      takeNotifications(observer, notifications, session.sessionId, kinds),
    settleNotifications: (settled) => settleNotifications(notifier, session, settled),
    reportActivity: (sessionId, activity) => writeActivity(recorder, sessionId, activity),
    statements: () => channels.reduce((sum, channel) => sum + channel.statements, 0),
    close: async () => void (await Promise.all(channels.map((channel) => channel.close()))),
  };
}

/**
 * The bounds of every wait, from the session's TTL: the client's time-out below TTL − fence, so
 * that nothing that was sent before the fence is waited for after the end of the session.
 */
export function boundsOfTtl(ttlMs: number): ChannelBounds {
  const marginMs = 0.2 * ttlMs;
  const timeoutMs = Math.min(5_000, 0.9 * marginMs);
  return {
    timeoutMs,
    lockWaitSeconds: Math.max(1, Math.floor(timeoutMs / 2_000)),
    silenceSeconds: Math.max(2, Math.ceil(marginMs / 1_000)),
  };
}
