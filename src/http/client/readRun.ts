import type { RunShown } from '../../store/runs/runRow.ts';
import type { RunJson } from './answerJson.ts';
import { instantMs, optionalMs } from './readInstant.ts';

/** A run of an answer in the shape that the store has it in. */
export function readRun(run: RunJson): RunShown {
  const { scheduledFor, scheduledUntil, startedAt, endedAt, ...same } = run;
  return {
    ...same,
    scheduledForMs: instantMs(scheduledFor),
    scheduledUntilMs: optionalMs(scheduledUntil),
    startedMs: optionalMs(startedAt),
    endedMs: optionalMs(endedAt),
  };
}
