import type { NotificationsSettled } from '../../../domain/notifications/notificationStore.ts';
import {
  restTargetMs,
  retryNotificationMs,
  triesMax,
  waitingHoursMax,
} from '../../../domain/notifications/retryNotification.ts';
import type { Channel } from '../../connection/channel.ts';

const errorCharactersMax = 500;

/**
 * Writes down what became of the messages of each target, and lets the targets go. Each statement
 * is idempotent. After a failure the notification is tried again later, a
 * bounded number of times, and the target is left alone for a while, so that one that hangs is not
 * tried again for each of its notifications.
 */
export async function settleNotifications(
  channel: Channel,
  sessionId: string,
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
      error = outcome.error.slice(0, errorCharactersMax);
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
