import type {
  NotificationBatch,
  NotificationsSettled,
  NotificationsTaken,
} from '../../../domain/notifications/notificationStore.ts';
import type { TargetKind } from '../../../domain/notifications/notificationTarget.ts';
import {
  restTargetMs,
  retryNotificationMs,
  triesMax,
  waitingHoursMax,
} from '../../../domain/notifications/retryNotification.ts';
import type { Channel } from '../../connection/channel.ts';
import { each, flag, instantMs, integer, rowOf, text } from '../../rows/row.ts';
import { type NotificationCache, selectTarget, targetColumns } from '../notificationCache.ts';
import { chooseNotifications } from './chooseNotifications.ts';

/** Targets that one node sends to at once. */
const targetsMax = 8;
/** How long a target is one node's. It need not be renewed: what is taken is sent well within. */
const leaseSeconds = 90;

/**
 * Takes up to some targets that have something due, and what is due of each. A target is one
 * node's at a time: the lease is a compare-and-set on its row, free again when it has run out or
 * its session is over, so that a death delays notifications by no more. All of it costs one
 * statement while nothing is due.
 */
export async function takeNotifications(
  channel: Channel,
  notifications: NotificationCache,
  sessionId: string,
  kinds: readonly TargetKind[],
): Promise<NotificationsTaken> {
  const targets = await channel.rows(targetSeen, selectTargets, [sessionId]);
  notifications.keep(targets);
  const ready = targets.filter((target) => isReady(target, kinds)).slice(0, targetsMax);
  const batches: NotificationBatch[] = [];
  for (const target of ready) {
    const { name, failures } = target;
    const seen = [name, target.sessionId, new Date(target.untilMs)];
    const taken = await channel.change(takeTarget, [sessionId, leaseSeconds, ...seen]);
    if (taken !== 1) continue;
    const messages = await chooseNotifications(channel, target, roomOf(target));
    batches.push({ target, messages, failures });
  }
  return { batches, leaseMs: leaseSeconds * 1000 };
}

type TargetSeen = ReturnType<typeof targetSeen>;

function isReady(target: TargetSeen, kinds: readonly TargetKind[]): boolean {
  const mayTake = target.isFree && !target.isResting && kinds.includes(target.kind);
  return mayTake && target.isDue && roomOf(target) > 0;
}

/** How many messages it may still get within its minute. */
function roomOf({ isMinute, minuteCount, minuteMax }: TargetSeen): number {
  return minuteMax - (isMinute ? minuteCount : 0);
}

const targetSeen = rowOf({
  ...targetColumns,
  sessionId: text,
  untilMs: instantMs,
  ...each(integer, 'failures', 'minuteCount'),
  ...each(flag, 'isFree', 'isResting', 'isMinute', 'isDue'),
});
/** Those that were taken longest ago first, so that none is passed over. */
const selectTargets = `/* takeNotifications look */ SELECT ${selectTarget},
    notice_target.session_id,
    notice_target.until_at AS until, notice_target.failures, notice_target.minute_count,
    notice_target.until_at <= NOW(3) OR notice_target.session_id = ?
      OR holder.session_id IS NULL AS is_free,
    notice_target.rest_until > NOW(3) AS is_resting,
    notice_target.minute_from > NOW(3) - INTERVAL 60 SECOND AS is_minute,
    EXISTS (SELECT 1 FROM notice WHERE notice.target_name = notice_target.target_name
      AND notice.state = 'waiting' AND notice.due_at <= NOW(3)) AS is_due
  FROM notice_target LEFT JOIN session holder
    ON holder.session_id = notice_target.session_id AND holder.state = 'live'
  ORDER BY notice_target.until_at, notice_target.target_name`;
const takeTarget = `/* takeNotifications */ UPDATE notice_target
  SET session_id = ?, until_at = NOW(3) + INTERVAL ? SECOND
  WHERE target_name = ? AND session_id = ? AND until_at = ?`;

const errorCharactersMax = 500;

/**
 * Writes down what became of the messages of each target, and lets the targets go. Each statement
 * is idempotent. An error names the node that had it, since others may be allowed to send there.
 * After a failure the notification is tried again later, a bounded number of times, and the target
 * is left alone for a while, so that one that hangs is not tried again for each of its
 * notifications.
 */
export async function settleNotifications(
  channel: Channel,
  { nodeName, sessionId }: { readonly nodeName: string; readonly sessionId: string },
  settled: readonly NotificationsSettled[],
): Promise<void> {
  for (const { target, tried, failures } of settled) {
    const sent = tried.filter(({ outcome }) => outcome.sent);
    if (sent.length > 0) {
      await channel.change(markSent, [sent.map(({ message }) => message.notificationId)]);
    }
    let error: string | null = null;
    for (const { message, outcome } of tried) {
      if (outcome.sent) continue;
      error = `${nodeName}: ${outcome.error}`.slice(0, errorCharactersMax);
      const { notificationId, tries } = message;
      const delayUs = retryNotificationMs(tries, Math.random()) * 1000;
      const isLast = tries + 1 >= triesMax;
      await channel.change(markFailed, [
        ...[error, isLast, waitingHoursMax, isLast, waitingHoursMax],
        ...[delayUs, tries + 1, notificationId, tries],
      ]);
    }
    const restMs = error === null ? 0 : restTargetMs(failures, Math.random());
    await channel.change(letGo, [
      ...[tried.length, error === null ? 0 : failures + 1, restMs * 1000],
      ...[sent.length > 0, error, tried.length > 0, target, sessionId],
    ]);
  }
}

const markSent = `/* settleNotifications sent */ UPDATE notice
  SET state = 'sent', ended_at = NOW(3), tries = tries + 1, last_error = NULL
  WHERE notice_id IN (?) AND state = 'waiting'`;
const isOver = '? OR since_at < NOW(3) - INTERVAL ? HOUR';
const markFailed = `/* settleNotifications failed */ UPDATE notice
  SET last_error = ?, state = IF(${isOver}, 'given_up', 'waiting'),
    ended_at = IF(${isOver}, NOW(3), NULL),
    due_at = NOW(3) + INTERVAL ? MICROSECOND, tries = ?
  WHERE notice_id = ? AND tries = ? AND state = 'waiting'`;
/** The count before the instant that it depends on: assignments are made from left to right. */
const isMinute = 'minute_from > NOW(3) - INTERVAL 60 SECOND';
const letGo = `/* settleNotifications target */ UPDATE notice_target
  SET minute_count = IF(${isMinute}, minute_count, 0) + ?,
    minute_from = IF(${isMinute}, minute_from, NOW(3)),
    failures = ?, rest_until = NOW(3) + INTERVAL ? MICROSECOND,
    last_sent_at = IF(?, NOW(3), last_sent_at),
    last_error = IFNULL(?, IF(?, NULL, last_error)), until_at = NOW(3)
  WHERE target_name = ? AND session_id = ?`;
