import type { Reason } from '../reasons/reasons.ts';

/** Everything that may keep a job from running, in the order in which it is looked at. */
export const checkNames = [
  ...(['exists', 'paused', 'run-limits', 'observed', 'understood'] as const),
  ...(['window', 'exclusions', 'schedule', 'skipped', 'chain', 'requests'] as const),
  ...(['misfire', 'start-deadline', 'overlap', 'claim'] as const),
  ...([
    'cluster',
    'nodes',
    'group-limit',
    'capacity',
    'user',
    'lease',
    'clock',
    'database',
  ] as const),
] as const;
export type CheckName = (typeof checkNames)[number];

export const checkStates = ['passed', 'failed', 'unknown'] as const;

/** What one check has found. Instants in its texts are in UTC. */
export interface Check {
  readonly check: CheckName;
  /** `failed`: it keeps ticks, or requested runs, from running. `unknown`: nobody can say. */
  readonly state: (typeof checkStates)[number];
  /** One sentence. */
  readonly text: string;
  /** What the history says of ticks that are kept so; null: nothing. */
  readonly reason: string | null;
  /** The resource of the API that shows more; null: there is none. */
  readonly link: string | null;
  /** What to do; null: nothing, or it depends. */
  readonly hint: string | null;
}

interface More {
  readonly reason?: Reason | string | null;
  readonly link?: string | null;
  readonly hint?: string | null;
}

export function passed(check: CheckName, text: string, more: More = {}): Check {
  return { check, state: 'passed', text, reason: null, link: null, hint: null, ...more };
}

export function failed(check: CheckName, text: string, more: More = {}): Check {
  return { ...passed(check, text, more), state: 'failed' };
}

export function unknown(check: CheckName, text: string, more: More = {}): Check {
  return { ...passed(check, text, more), state: 'unknown' };
}

/** An instant in UTC, as texts have it. */
export function iso(instantMs: number): string {
  return new Date(instantMs).toISOString();
}
