/**
 * What a job does now, as one word; of several that fit, the first: `running` while a run of it is
 * under way, a paused job's too; `paused`; `observed`: its ticks are recorded and not started;
 * `cannot_run`: no live node may run it; `waiting`: a launch of it is due and has not started;
 * `idle`: it has nothing to do before its next tick or request.
 */
export const jobStates = [
  'running',
  'paused',
  'observed',
  'cannot_run',
  'waiting',
  'idle',
] as const;

export type JobState = (typeof jobStates)[number];

interface JobFacts {
  /** How many of its slots execute. */
  readonly executing: number;
  /** How many of its slots are due and do not execute. */
  readonly due: number;
  readonly isPaused: boolean;
  readonly isObserved: boolean;
  /** Whether a live node may run it. */
  readonly isRunnable: boolean;
}

export function jobState(facts: JobFacts): JobState {
  if (facts.executing > 0) return 'running';
  if (facts.isPaused) return 'paused';
  if (facts.isObserved) return 'observed';
  if (!facts.isRunnable) return 'cannot_run';
  return facts.due > 0 ? 'waiting' : 'idle';
}
