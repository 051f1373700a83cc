import { whyNotUnderstood } from '../../domain/job/edit/definitionFormat.ts';
import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import type { NotificationFacts } from '../../domain/notifications/notification.ts';
import { notificationsOfMissed } from '../../domain/policies/decideNotifications.ts';
import { reasons } from '../../domain/reasons/reasons.ts';
import type { Launch } from '../../domain/run/launch.ts';
import type { TickRange } from '../../domain/run/tickSource.ts';
import type { ChannelConnection } from '../connection/channel.ts';
import type { Claimed } from '../slots/writeClaims.ts';
import { insertNotifications, iso, jobFacts } from './insertNotifications.ts';
import { NotificationCache } from './notificationCache.ts';

/**
 * Notifies of the ticks that a claim has found missed, in the transaction that writes their rows.
 */
export async function notifyMissed(
  connection: ChannelConnection,
  notifications: NotificationCache,
  claimed: readonly Claimed[],
): Promise<void> {
  const missed = claimed.flatMap((each) => {
    const passed = each.decision.ranges.map((range) => ({ slot: each.slot, range }));
    return [...missedRanges(passed, each.revision.definition), ...missedRequests(each)];
  });
  await notify(connection, notifications, missed);
}

/** Notifies of the ticks that a change of a job finds missed, in the transaction of the change. */
export async function notifyMissedByChange(
  connection: ChannelConnection,
  definition: JobDefinition,
  ranges: readonly PassedRange[],
): Promise<void> {
  if (whyNotUnderstood(definition) !== null) return; // who is notified is a later version's to say
  await notify(connection, new NotificationCache(), missedRanges(ranges, definition));
}

/** Notifies of launches that came too late to be started, in the transaction that ends them. */
export async function notifyTooLate(
  connection: ChannelConnection,
  notifications: NotificationCache,
  launches: readonly Launch[],
): Promise<void> {
  const missed = launches.map(({ definition, launchId, scheduledForMs }): Missed => {
    const facts = { scheduledFor: iso(scheduledForMs), launchId, reason: reasons.tooLate };
    return { definition, subject: launchId, facts };
  });
  await notify(connection, notifications, missed);
}

interface Missed {
  readonly definition: JobDefinition;
  readonly subject: string;
  readonly facts: NotificationFacts;
}

async function notify(
  connection: ChannelConnection,
  notifications: NotificationCache,
  missed: readonly Missed[],
): Promise<void> {
  if (missed.length === 0) return;
  const rules = await notifications.rules(connection);
  const drafts = missed.flatMap(({ definition, subject, facts }) => {
    const all = { ...jobFacts(definition), result: 'missed', ...facts };
    return notificationsOfMissed(definition, rules).map((due) => ({ ...due, subject, facts: all }));
  });
  await insertNotifications(connection, drafts);
}

interface PassedRange {
  readonly slot: { readonly jobId: number; readonly nodeName: string };
  readonly range: TickRange;
}

function missedRanges(ranges: readonly PassedRange[], definition: JobDefinition): Missed[] {
  return ranges.flatMap(({ slot, range }) => {
    const { fromMs, untilMs, ticks, result, reason } = range;
    if (result !== 'missed') return [];
    const facts = {
      ...nodeOf(slot.nodeName),
      scheduledFor: iso(fromMs),
      ...(ticks === 1 ? {} : { scheduledUntil: iso(untilMs) }),
      ticks,
      reason,
    };
    const subject = `missed ${slot.jobId}:${slot.nodeName}:${fromMs}:${untilMs}`;
    return [{ definition, subject, facts }];
  });
}

function missedRequests({ slot, revision, late }: Claimed): Missed[] {
  return late.map(({ scheduledForMs, attempt, requestId, trigger }) => {
    const reason = reasons.tooLate;
    const scheduledFor = iso(scheduledForMs);
    const facts = { ...nodeOf(slot.nodeName), scheduledFor, attempt, trigger, reason };
    const tick = `${scheduledForMs}:${trigger}:${attempt}:${requestId}`;
    const subject = `missed ${slot.jobId}:${slot.nodeName}:${tick}`;
    return { definition: revision.definition, subject, facts };
  });
}

/** '': any node would have run it. */
function nodeOf(node: string): NotificationFacts {
  return node === '' ? {} : { node };
}
