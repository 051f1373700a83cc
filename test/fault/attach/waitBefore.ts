import { setTimeout as sleep } from 'node:timers/promises';
import type { OperatorError } from '../../../src/domain/errors/errors.ts';
import { refusal } from './refusal.ts';

/** What a wait before a run needs. */
export interface Waiting {
  readonly say: (line: string) => void;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** What is looked for, or why it is not there yet, with what to say when the time is over. */
type Looked<T> =
  | { readonly found: T }
  | { readonly waitsFor: string; readonly late: OperatorError };

const lookMs = 500;
/** A user needs it to start nodes, or to stop jobs. */
const waitMsMax = 600_000;

/**
 * Looks until it is there.
 * @throws OperatorError (78) what `look` says of it, after ten minutes; when the run was stopped
 */
export async function waitBefore<T>(
  { say, signal }: Waiting,
  look: () => Promise<Looked<T>>,
): Promise<T> {
  const began = performance.now();
  let said = '';
  for (;;) {
    const looked = await look();
    if ('found' in looked) return looked.found;
    if (signal.aborted) throw refusal('stopped', 'Stopped before it began.', 'Nothing was broken.');
    if (performance.now() - began > waitMsMax) throw looked.late;
    if (looked.waitsFor !== said) say(looked.waitsFor);
    said = looked.waitsFor;
    await sleep(lookMs);
  }
}
