import type { JobDefinition } from '../job/jobDefinition.ts';
import type { NotificationEvent, NotificationKind } from '../notifications/notification.ts';
import { isStoppedWithNode } from '../reasons/reasons.ts';
import { isFailure, type RunResult } from '../run/run.ts';

/** What targets are sent about every job. */
export type NotificationRules = readonly {
  readonly target: string;
  readonly events: readonly NotificationEvent[];
  readonly longMs: number | null;
}[];

/** An event to be sent to a target. */
interface AddressedEvent {
  readonly target: string;
  readonly event: NotificationKind;
}

/** One that is due later, and that the end of its run takes back. */
interface DelayedEvent extends AddressedEvent {
  readonly delayMs: number;
}

type Notifying = Pick<JobDefinition, 'notify'>;

/** Whether any target is sent anything about the job; if not, nothing more is read for it. */
export function isWatched({ notify }: Notifying, rules: NotificationRules): boolean {
  return notify !== undefined || rules.length > 0;
}

/** Whether any target is sent an event of the job. */
export function hasRule(
  definition: Notifying,
  rules: NotificationRules,
  event: NotificationEvent,
): boolean {
  return rulesOf(definition, rules).some(({ events }) => events.includes(event));
}

/** Of a launch that has started. */
export function notificationsOfStart(
  definition: Notifying,
  rules: NotificationRules,
): DelayedEvent[] {
  const pings = definition.notify?.ping ?? [];
  const long = new Map<string, number>();
  for (const { target, events, longMs } of rulesOf(definition, rules)) {
    if (!events.includes('long-running') || longMs === null) continue;
    long.set(target, Math.min(longMs, long.get(target) ?? Number.POSITIVE_INFINITY));
  }
  return [
    ...pings.map((target) => ({ target, event: 'start' as const, delayMs: 0 })),
    ...[...long].map(([target, delayMs]) => ({ target, event: 'long-running' as const, delayMs })),
  ];
}

/** How a launch ended, for `notificationsOfEnd`. */
export interface LaunchEnd {
  readonly result: RunResult;
  readonly reason: string | null;
  /** False: it is tried again. */
  readonly isFinal: boolean;
  /** The tick before, of those that ran, had failed. */
  readonly wasFailing: boolean;
}

/**
 * Of a launch that has ended. A failure is one for good; a run that was lost with its node is sent
 * to each target once: as that, whether it is tried again or not, or else as the failure it is. A
 * stop, by an operator or by the job's next tick, is nobody's trouble but a ping's; one by the end
 * of its node is a failure.
 */
export function notificationsOfEnd(
  definition: Notifying,
  rules: NotificationRules,
  { result, reason, isFinal, wasFailing }: LaunchEnd,
): AddressedEvent[] {
  const { on = [], to = [], ping = [] } = definition.notify ?? {};
  const events = new Map<string, NotificationKind>();
  const add = (targets: readonly string[], event: NotificationKind): void => {
    for (const target of targets) if (!events.has(target)) events.set(target, event);
  };
  // Rules for every job are sent the node's own loss, once and not for each run.
  if (result === 'lost' && on.includes('node-lost')) add(to, 'node-lost');
  const all = rulesOf(definition, rules);
  if (isFinal && isTrouble(result, reason)) add(targetsOf(all, 'failure'), 'failure');
  if (wasFailing && result === 'succeeded') add(targetsOf(all, 'recovery'), 'recovery');
  if (isFinal) add(ping, result === 'succeeded' ? 'success' : 'failure');
  return [...events].map(([target, event]) => ({ target, event }));
}

/** Whether an end is a failure for notifications. */
export function isTrouble(result: string, reason: string | null): boolean {
  return isFailure(result) || (result === 'stopped' && isStoppedWithNode(reason));
}

/** Of ticks that nobody was there for, or that came too late to be started. */
export function notificationsOfMissed(
  definition: Notifying,
  rules: NotificationRules,
): AddressedEvent[] {
  const targets = new Set(targetsOf(rulesOf(definition, rules), 'missed'));
  return [...targets].map((target) => ({ target, event: 'missed' }));
}

/** Of a node whose session was ended by others. */
export function notificationsOfLostNode(rules: NotificationRules): AddressedEvent[] {
  return targetsOf(rules, 'node-lost').map((target) => ({ target, event: 'node-lost' }));
}

/** The job's own rule for each of its targets, then those for every job. */
function rulesOf({ notify }: Notifying, rules: NotificationRules): NotificationRules {
  if (notify === undefined) return rules;
  const { on, to, longMs = null } = notify;
  return [...to.map((target) => ({ target, events: on, longMs })), ...rules];
}

function targetsOf(rules: NotificationRules, event: NotificationEvent): string[] {
  return rules.flatMap(({ target, events }) => (events.includes(event) ? [target] : []));
}
