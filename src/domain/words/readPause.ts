import type { JobPause } from '../jobPause.ts';
import { parseInstant } from '../parseInstant.ts';
import type { PauseWords } from './jobWords.ts';
import { wordFault } from './wordFault.ts';

/**
 * What words say of a pause; null: there is to be none; undefined: they say nothing.
 * @throws FieldError (2) that names the word at fault.
 */
export function readPause({ paused, pausedUntil }: PauseWords): JobPause | null | undefined {
  if (pausedUntil === undefined) {
    return paused === undefined ? undefined : paused ? { untilMs: null } : null;
  }
  const untilMs = parseInstant(pausedUntil);
  const hint = 'See: statecron job add --help';
  if (untilMs === null) {
    throw wordFault('--paused-until', ': write an instant as 2030-01-31T09:30:00Z.', { hint });
  }
  if (paused === false) {
    throw wordFault('--paused', ': is false, though it says until when it is paused.', { hint });
  }
  return { untilMs };
}
