import type { NotificationFacts, NotificationKind } from './notification.ts';

/** What can be muted. A group is one of jobs. */
export const muteKinds = ['job', 'group', 'target'] as const;

/** A job, a group of jobs or a target of notifications, by its name. */
export interface Muted {
  readonly kind: (typeof muteKinds)[number];
  readonly name: string;
}

/** From when to when somebody has muted it. */
interface Mute extends Muted {
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** A notification, as mutes look at it. */
export interface Mutable {
  readonly target: string;
  readonly event: NotificationKind;
  readonly facts: Pick<NotificationFacts, 'job' | 'group'>;
}

/**
 * Whether one of the mutes holds back what became due at one of the instants. A muted target is
 * sent nothing but tests. Of a muted job the bad news alone are held back: a service that is pinged
 * would raise the alarm for want of the good ones.
 */
export function isMuted(
  notification: Mutable,
  mutes: readonly Mute[],
  instantsMs: readonly number[],
): boolean {
  return mutes.some((mute) => {
    const { sinceMs, untilMs } = mute;
    const isThen = instantsMs.some((instantMs) => sinceMs <= instantMs && instantMs < untilMs);
    return isThen && holdsBack(mute, notification);
  });
}

/**
 * A recovery is sent to those who were sent the failure: not when each failure since the job last
 * succeeded was held back.
 * @param failedMs when they were
 */
export function isUnheardRecovery(
  recovery: Mutable,
  mutes: readonly Mute[],
  failedMs: readonly number[],
): boolean {
  const failure = { ...recovery, event: 'failure' } as const;
  return failedMs.length > 0 && failedMs.every((instantMs) => isMuted(failure, mutes, [instantMs]));
}

function holdsBack({ kind, name }: Muted, { event, facts, target }: Mutable): boolean {
  if (event === 'test') return false;
  if (kind === 'target') return name === target;
  const { job, group = 'default' } = facts;
  return job !== undefined && name === (kind === 'job' ? job : group) && badNews.has(event);
}

const badNews: ReadonlySet<NotificationKind> = new Set([
  ...(['failure', 'missed', 'long-running', 'node-lost'] as const),
]);
