import { parseInstantIn, whyNoInstant } from '../../schedule/parseInstantIn.ts';
import { fieldFault } from '../fieldFault.ts';

/** That a job is paused, and until when; null: until somebody resumes it. */
export interface JobPause {
  readonly untilMs: number | null;
}

/** The fields that say whether a job is paused; neither: nothing is said of it. */
export interface PauseFields {
  readonly paused?: boolean;
  readonly pausedUntil?: string;
}

/**
 * The pause that the fields say, by the zone of the job; null: not paused; undefined: unchanged.
 * @throws FieldError (2) that names the field at fault.
 */
export function readPause(
  { paused, pausedUntil }: PauseFields,
  timezone: string,
): JobPause | null | undefined {
  if (pausedUntil === undefined) {
    return paused === undefined ? undefined : paused ? { untilMs: null } : null;
  }
  const untilMs = parseInstantIn(pausedUntil, timezone);
  const hint = 'See: statecron docs jobs';
  if (untilMs === null) {
    throw fieldFault('pausedUntil', `: ${whyNoInstant(pausedUntil)}.`, { hint });
  }
  if (paused === false) {
    throw fieldFault('paused', ': is false, though it says until when it is paused.', { hint });
  }
  return { untilMs };
}
