import type { JobPolicies } from '../job/jobPolicies.ts';
import type { Trigger } from '../run/run.ts';
import { hashValue } from '../schedule/read/hashValue.ts';

/** What of a launch says when it ought to start. */
interface LaunchTime {
  readonly trigger: Trigger;
  readonly scheduledForMs: number;
  /** Of a pending launch; null: it comes straight from the schedule. */
  readonly notBeforeMs: number | null;
}

/**
 * When a launch ought to start: a tick of the schedule its splay later, a pending launch when it
 * may. Never before its tick (P12).
 */
export function startAt(
  definition: Pick<JobPolicies, 'splayMs'> & { readonly name: string },
  { scheduledForMs, notBeforeMs }: LaunchTime,
): number {
  if (notBeforeMs !== null) return Math.max(scheduledForMs, notBeforeMs);
  return scheduledForMs + splayOf(definition, scheduledForMs);
}

/** By how much a tick is moved: whole milliseconds, below `splayMs`, the same on every node. */
export function splayOf(
  { name, splayMs = 0 }: Pick<JobPolicies, 'splayMs'> & { readonly name: string },
  tickMs: number,
): number {
  return splayMs === 0 ? 0 : hashValue(name, `splay ${tickMs}`, splayMs);
}

/**
 * The instant after which a launch is not started any more, or null. Ticks, those that waited too,
 * are as old as their tick; what was requested, or is tried again, since it may start.
 */
export function startBefore(
  { startDeadlineMs }: Pick<JobPolicies, 'startDeadlineMs'>,
  { trigger, scheduledForMs }: Pick<LaunchTime, 'trigger' | 'scheduledForMs'>,
  startAtMs: number,
): number | null {
  if (startDeadlineMs === undefined) return null;
  const isTick = trigger === 'schedule' || trigger === 'misfire' || trigger === 'queue';
  return (isTick ? scheduledForMs : startAtMs) + startDeadlineMs;
}
