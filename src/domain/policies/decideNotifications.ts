import type { JobDefinition } from '../job/jobDefinition.ts';
import type { NotificationEvent, NotificationKind } from '../notifications/notification.ts';
import { isFailure, type RunResult } from '../run/run.ts';

/** What targets are sent about every job. */
interface EveryJobRule {
  readonly target: string;
  readonly events: readonly NotificationEvent[];
  readonly longMs: number | null;
}

export type NotificationRules = readonly EveryJobRule[];

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

/** Of a launch that has started. */
export function notificationsOfStart(
  definition: Notifying,
  rules: NotificationRules,
): DelayedEvent[] {
  const { notify } = definition;
  const pings = (notify?.ping ?? []).map((target) => ({ target, event: 'start' as const }));
  const long = new Map<string, number>();
  for (const { target, events, longMs } of rulesOf(definition, rules)) {
    if (!events.includes('long-running') || longMs === null) continue;
    long.set(target, Math.min(longMs, long.get(target) ?? Number.POSITIVE_INFINITY));
  }
  return [
    ...pings.map((told) => ({ ...told, delayMs: 0 })),
    ...[...long].map(([target, delayMs]) => ({ target, event: 'long-running' as const, delayMs })),
  ];
}

/** How a launch ended, for `notificationsOfEnd`. */
export interface LaunchEnd {
  readonly result: RunResult;
  /** False: it is tried again. */
  readonly isFinal: boolean;
  /** The tick before, of those that ran, had failed. */
  readonly wasFailing: boolean;
}

/**
 * Of a launch that has ended. A failure is one for good; a run that was lost with its node is sent
 * to each target once: as that, whether it is tried again or not, or else as the failure it is. A
 * stop, by an operator or by the job's next tick, is nobody's trouble but a ping's.
 */
export function notificationsOfEnd(
  definition: Notifying,
  rules: NotificationRules,
  end: LaunchEnd,
): AddressedEvent[] {
  const told = new Map<string, AddressedEvent>();
  const tell = (target: string, event: NotificationKind): void => {
    if (!told.has(target)) told.set(target, { target, event });
  };
  const hasFailed = end.isFinal && isFailure(end.result);
  const hasRecovered = end.wasFailing && end.result === 'succeeded';
  if (end.result === 'lost') {
    // Rules for every job are sent the node's own loss, once and not for each run.
    for (const target of jobTargets(definition, 'node-lost')) tell(target, 'node-lost');
  }
  for (const { target, events } of rulesOf(definition, rules)) {
    if (hasFailed && events.includes('failure')) tell(target, 'failure');
    if (hasRecovered && events.includes('recovery')) tell(target, 'recovery');
  }
  const pings = end.isFinal ? (definition.notify?.ping ?? []) : [];
  for (const target of pings) tell(target, end.result === 'succeeded' ? 'success' : 'failure');
  return [...told.values()];
}

/** Whether it has to be known how the tick before ended. */
export function hasRecoveryRule(definition: Notifying, rules: NotificationRules): boolean {
  return rulesOf(definition, rules).some(({ events }) => events.includes('recovery'));
}

/** Whether somebody waits for the launch to take too long. */
export function hasLongRunningRule(definition: Notifying, rules: NotificationRules): boolean {
  return rulesOf(definition, rules).some(({ events }) => events.includes('long-running'));
}

/** Of ticks that nobody was there for, or that came too late to be started. */
export function notificationsOfMissed(
  definition: Notifying,
  rules: NotificationRules,
): AddressedEvent[] {
  const targets = rulesOf(definition, rules).flatMap(({ target, events }) =>
    events.includes('missed') ? [target] : [],
  );
  return [...new Set(targets)].map((target) => ({ target, event: 'missed' }));
}

/** Of a node whose session was ended by others. */
export function notificationsOfLostNode(rules: NotificationRules): AddressedEvent[] {
  return rules.flatMap(({ target, events }) =>
    events.includes('node-lost') ? [{ target, event: 'node-lost' as const }] : [],
  );
}

/** The job's own rule for each of its targets, then those for every job. */
function rulesOf({ notify }: Notifying, rules: NotificationRules): NotificationRules {
  if (notify === undefined) return rules;
  const { on, to, longMs = null } = notify;
  return [...to.map((target): EveryJobRule => ({ target, events: on, longMs })), ...rules];
}

function jobTargets({ notify }: Notifying, event: NotificationEvent): readonly string[] {
  return notify?.on.includes(event) ? notify.to : [];
}
