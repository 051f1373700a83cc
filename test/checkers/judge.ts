import type { History } from './history.ts';
import type { Violation } from './violation.ts';

/** Every broken promise that a history shows, in the order of time; empty: none. */
export function judge(_history: History): Violation[] {
  throw new Error('not yet');
}
