import type {
  NotificationFacts,
  NotificationKind,
  NotificationLine,
  NotificationMessage,
} from '../../../domain/notifications/notification.ts';
import { digestId } from '../../../domain/notifications/notificationId.ts';
import type { NotificationTarget } from '../../../domain/notifications/notificationTarget.ts';
import type { Channel } from '../../connection/channel.ts';
import { partition } from '../../rows/partition.ts';
import {
  each,
  instantMs,
  integer,
  jsonOf,
  nullable,
  only,
  rowOf,
  text,
  wordOf,
} from '../../rows/row.ts';
import { transact } from '../../transaction/transact.ts';
import { iso } from '../insertNotifications.ts';
import { findMuted } from './findMuted.ts';

/** How many are looked at; what is more is due at the next look. */
const lookedAtMax = 2_000;
/** How many are sent before it is written down what became of them. */
const batchMax = 10;
/** A start that is sent later than this says nothing any more: its end has come, or will. */
const startSecondsMax = 60;

/**
 * What a target is to be sent now, at most so many messages as it has room for. The target is this
 * node's. What has nothing to say any more is dropped, and what is muted stays unsent; what is more
 * than the target takes comes together in one digest, or, of pings, down to the latest of each job.
 */
export async function chooseNotifications(
  channel: Channel,
  target: NotificationTarget,
  room: number,
): Promise<NotificationMessage[]> {
  const waiting = await channel.rows(dueNotification, selectDue, [target.name, lookedAtMax]);
  const ended = await endedLaunches(channel, waiting);
  const [stale, fit] = partition(waiting, (notification) => isStale(notification, ended));
  const heldBack = await findMuted(channel, target.name, fit);
  const [muted, due] = partition(fit, (notification) => heldBack.has(notification));
  await end(channel, 'muted', muted);
  const isCrowded = target.kind === 'ping' && due.length > room;
  const [left, superseded] = isCrowded ? partition(due, isLatestOf(due)) : [due, []];
  await end(channel, 'dropped', [...stale, ...superseded]);
  if (target.kind === 'ping' || left.length <= room) {
    return left.slice(0, Math.min(room, batchMax)).map(messageOf);
  }
  const [alone, fresh] = partition(left, ({ tries, event }) => tries > 0 || event === 'digest');
  // What was tried before may have come through: it keeps its id, and is never put into another.
  const singles = [...alone, ...fresh].slice(0, Math.max(0, room - 1));
  const rest = fresh.filter((notification) => !singles.includes(notification));
  const digest = await collapseNotifications(channel, target.name, rest.map(messageOf));
  return [...singles.slice(0, batchMax - 1).map(messageOf), ...(digest === null ? [] : [digest])];
}

type DueNotification = ReturnType<typeof dueNotification>;

function messageOf(due: DueNotification): NotificationMessage {
  const { notificationId, id, event, tries, createdMs } = due;
  // It was written by the transaction that started the launch.
  const isOfStart = event === 'start' || event === 'long-running';
  const facts = isOfStart ? { ...due.facts, startedAt: iso(createdMs) } : due.facts;
  return { notificationId, id, event, facts, tries, createdMs };
}

/** Of the launches that were to be reported as long, those that do not run any more. */
async function endedLaunches(
  channel: Channel,
  waiting: readonly DueNotification[],
): Promise<Set<string>> {
  const launchIds = waiting.flatMap(({ launchId }) => launchId ?? []);
  if (launchIds.length === 0) return new Set();
  const ids = new Set(await channel.rows(only(text), selectRunning, [launchIds]));
  return new Set(launchIds.filter((id) => !ids.has(id)));
}

function isStale(notification: DueNotification, ended: ReadonlySet<string>): boolean {
  const { launchId, event, nowMs, createdMs } = notification;
  if (launchId !== null && ended.has(launchId)) return true;
  return event === 'start' && nowMs - createdMs > startSecondsMax * 1000;
}

/** A ping says how a job is: of several only the last one counts, and a test is of none. */
function isLatestOf(all: readonly DueNotification[]): (one: DueNotification) => boolean {
  const latest = new Map<string, number>();
  const jobOf = ({ facts: { job }, id }: DueNotification): string => job ?? id;
  for (const one of all) {
    latest.set(jobOf(one), Math.max(one.notificationId, latest.get(jobOf(one)) ?? 0));
  }
  return (one) => latest.get(jobOf(one)) === one.notificationId;
}

async function end(
  channel: Channel,
  state: 'dropped' | 'muted',
  notifications: readonly DueNotification[],
): Promise<void> {
  if (notifications.length === 0) return;
  const ids = notifications.map(({ notificationId }) => notificationId);
  await channel.change(endStatement, [state, ids]);
}

const dueNotification = rowOf({
  ...each(integer, 'notificationId', 'tries'),
  id: text,
  event: wordOf<NotificationKind>(),
  launchId: nullable(text),
  facts: jsonOf<NotificationFacts>(),
  ...each(instantMs, 'createdMs', 'sinceMs', 'nowMs'),
});
const selectDue = `/* chooseNotifications */ SELECT notice_id AS notification_id,
    stable_id AS id, event, launch_id, facts, tries, created_at AS created,
    since_at AS since, NOW(3) AS now
  FROM notice WHERE target_name = ? AND state = 'waiting' AND due_at <= NOW(3)
  ORDER BY due_at, notice_id LIMIT ?`;
const selectRunning = `/* chooseNotifications running */ SELECT launch_id FROM slot
  WHERE launch_id IN (?) AND state = 'executing'`;
const endStatement = `/* chooseNotifications end */ UPDATE notice
  SET state = ?, ended_at = NOW(3) WHERE notice_id IN (?) AND state = 'waiting'`;

/** Of the others it only has the number. */
const linesMax = 50;

/**
 * Puts notifications that were never tried together into one, in one transaction: it stands
 * for them from then on, whatever becomes of this node. Null when there are none, when one of
 * them is no longer waiting, or when nobody knows; the next look shows.
 */
async function collapseNotifications(
  channel: Channel,
  target: string,
  messages: readonly NotificationMessage[],
): Promise<NotificationMessage | null> {
  if (messages.length === 0) return null;
  const facts = digestFacts(messages);
  const ids = messages.map((message) => message.id);
  const id = digestId(target, ids);
  const outcome = await transact<number>(channel, 'collapseNotifications', async (connection) => {
    const header = await connection.write(insertDigest, [id, target, JSON.stringify(facts)]);
    const notificationIds = messages.map(({ notificationId }) => notificationId);
    const affected = await connection.change(markDigested, [notificationIds]);
    // Rolled back: an operator has taken some of them away meanwhile.
    if (affected !== messages.length) throw new ChangedError();
    return { commit: header.insertId };
  }).catch((error: unknown) => {
    if (error instanceof ChangedError) return null;
    throw error;
  });
  if (outcome === null || outcome.outcome !== 'committed') return null;
  const createdMs = Math.min(...messages.map((message) => message.createdMs));
  return { notificationId: outcome.value, id, event: 'digest', facts, tries: 0, createdMs };
}

class ChangedError extends Error {}

function digestFacts(messages: readonly NotificationMessage[]): NotificationFacts {
  const counts: Record<string, number> = {};
  for (const { event } of messages) counts[event] = (counts[event] ?? 0) + 1;
  const first = messages.slice(0, linesMax).map(({ id, event, facts }): NotificationLine => {
    const shown = ['job', 'node', 'launchId', 'result'] as const;
    const known = shown.filter((name) => facts[name] !== undefined);
    return { id, event, ...Object.fromEntries(known.map((name) => [name, facts[name]])) };
  });
  return { counts, first };
}

const insertDigest = `/* collapseNotifications */ INSERT INTO notice (stable_id, target_name, event,
    facts, created_at, since_at, due_at)
  VALUES (?, ?, 'digest', ?, NOW(3), NOW(3), NOW(3))`;
const markDigested = `/* collapseNotifications mark */ UPDATE notice
  SET state = 'digested', ended_at = NOW(3)
  WHERE notice_id IN (?) AND state = 'waiting' AND tries = 0`;
