import { type NotificationEvent, notificationEvents } from '../../notifications/notification.ts';
import { notifyDefaults } from '../fieldTable/notifyFields.ts';
import type { JobFields, NotifyPolicy } from '../jobPolicies.ts';

/**
 * A notify policy with the changes that are given; `false`: it is taken away, undefined: it stays.
 * Without targets there are no events, and without events no targets.
 */
export function mergeNotify(
  notify: NotifyPolicy | undefined,
  given: JobFields,
): NotifyPolicy | false | undefined {
  const { notifyOn, notifyTo, longRunning, ping: pinged } = given;
  if ([notifyOn, notifyTo, longRunning, pinged].every((value) => value === undefined)) {
    return undefined;
  }
  const ping = listOf(pinged) ?? notify?.ping ?? [];
  const isTaken = notifyTo === false || notifyOn === false;
  const to = isTaken ? [] : (listOf(notifyTo) ?? notify?.to ?? []);
  const longMs = isTaken || longRunning === false ? undefined : (longRunning ?? notify?.longMs);
  const on = isTaken ? [] : eventsOf(notify, given, to);
  if (to.length === 0 && on.length === 0 && ping.length === 0 && longMs === undefined) return false;
  return {
    on,
    to,
    ...(longMs === undefined ? {} : { longMs }),
    ...(ping.length === 0 ? {} : { ping }),
  };
}

/** The time after which a run is long implies that event, and the other way. */
function eventsOf(
  notify: NotifyPolicy | undefined,
  { notifyOn, longRunning }: JobFields,
  to: readonly string[],
): NotificationEvent[] {
  if (notifyOn !== undefined && notifyOn !== false) return inOrder(notifyOn);
  const before = notify?.on ?? [];
  const events = new Set(before.length === 0 && to.length > 0 ? notifyDefaults : before);
  if (longRunning === false) events.delete('long-running');
  else if (longRunning !== undefined) events.add('long-running');
  return inOrder([...events]);
}

/** In one order, so that the same rule is the same definition. */
function inOrder(events: readonly NotificationEvent[]): NotificationEvent[] {
  return notificationEvents.filter((event) => events.includes(event));
}

/** Each once. */
function listOf(list: readonly string[] | false | undefined): string[] | undefined {
  return list === undefined ? undefined : [...new Set(list || [])];
}
