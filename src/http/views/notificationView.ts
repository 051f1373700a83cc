import type {
  NotificationListed,
  TargetListed,
} from '../../store/notifications/delivery/listNotifications.ts';
import type { NotificationView, TargetView } from '../contract/notificationContract.ts';
import { isoOf, isoOrNull } from './isoOf.ts';

/** A notification target as the API and `--json` show it. */
export function targetView({ lastSentMs, ...same }: TargetListed): TargetView {
  return { ...same, lastSentAt: isoOrNull(lastSentMs) };
}

/** A notification that was sent, or waits to be. */
export function notificationView(notification: NotificationListed): NotificationView {
  const { createdMs, dueMs, endedMs, facts, ...same } = notification;
  const times = { createdAt: isoOf(createdMs), dueAt: isoOf(dueMs), endedAt: isoOrNull(endedMs) };
  return { ...same, facts: { ...facts }, ...times };
}
