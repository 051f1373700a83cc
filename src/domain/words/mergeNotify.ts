import type { NotifyPolicy } from '../jobPolicies.ts';
import { type NoticeEvent, noticeEvents } from '../notices/notice.ts';
import type { JobWords } from './jobWords.ts';

/** What a target is told of a job that names it and says no more. */
export const notifyDefaults: readonly NoticeEvent[] = [
  'failure',
  'recovery',
  'missed',
  'node-lost',
];

/** The words of a notify policy, and the parts that they write. */
export const notifyWords = {
  on: 'notifyOn',
  to: 'notifyTo',
  longMs: 'longRunning',
  ping: 'ping',
} as const satisfies Record<keyof NotifyPolicy, keyof JobWords>;

/**
 * Whom a job tells of what, with the words' changes; `false`: nobody any more, undefined: the
 * words say nothing of it. Who is told of nothing is told no more, and what nobody is told goes
 * with them.
 */
export function mergeNotify(
  notify: NotifyPolicy | undefined,
  words: JobWords,
): NotifyPolicy | false | undefined {
  const { notifyOn, notifyTo, longRunning, ping: pinged } = words;
  if ([notifyOn, notifyTo, longRunning, pinged].every((word) => word === undefined)) {
    return undefined;
  }
  const ping = listOf(pinged) ?? notify?.ping ?? [];
  const isTaken = notifyTo === false || notifyOn === false;
  const to = isTaken ? [] : (listOf(notifyTo) ?? notify?.to ?? []);
  const longMs = isTaken || longRunning === false ? undefined : (longRunning ?? notify?.longMs);
  const on = isTaken ? [] : eventsOf(notify, words, to);
  if (to.length === 0 && on.length === 0 && ping.length === 0 && longMs === undefined) return false;
  return {
    on,
    to,
    ...(longMs === undefined ? {} : { longMs }),
    ...(ping.length === 0 ? {} : { ping }),
  };
}

/** The time after which a run is long says that somebody is to be told of it, and the other way. */
function eventsOf(
  notify: NotifyPolicy | undefined,
  { notifyOn, longRunning }: JobWords,
  to: readonly string[],
): NoticeEvent[] {
  if (notifyOn !== undefined && notifyOn !== false) return inOrder(notifyOn);
  const before = notify?.on ?? [];
  const events = new Set(before.length === 0 && to.length > 0 ? notifyDefaults : before);
  if (longRunning === false) events.delete('long-running');
  else if (longRunning !== undefined) events.add('long-running');
  return inOrder([...events]);
}

/** In one order, so that the same rule is the same definition. */
function inOrder(events: readonly NoticeEvent[]): NoticeEvent[] {
  return noticeEvents.filter((event) => events.includes(event));
}

/** Each once: naming a target twice means no more than once. */
function listOf(list: readonly string[] | false | undefined): string[] | undefined {
  return list === undefined ? undefined : [...new Set(list || [])];
}
