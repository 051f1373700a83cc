import { type Signal, signal } from '@preact/signals';
import { useState } from 'preact/hooks';

/** So many values are kept, those that were used last. */
const keptMax = 40;

const values = new Map<string, unknown>();

/**
 * What belongs to this entry of the browser's history: who comes back to it has it again. It is
 * kept in memory alone.
 */
export function keptHere<T>(name: string, make: () => T): T {
  const key = `${entryId()} ${name}`;
  const value = values.has(key) ? (values.get(key) as T) : make();
  values.delete(key);
  values.set(key, value);
  for (const [oldest] of values) if (values.size > keptMax) values.delete(oldest);
  return value;
}

/** The next reader of this window may be another. */
export function forgetKept(): void {
  values.clear();
}

/** A signal that is there again when one comes back. */
export function useKeptSignal<T>(name: string, first: T): Signal<T> {
  const [kept] = useState(() => keptHere(name, () => signal(first)));
  return kept;
}

/** Of the entry of the history; one that has none yet gets it. */
function entryId(): string {
  const known: unknown = history.state?.entry;
  if (typeof known === 'string') return known;
  const entry = `${Math.random()}`;
  history.replaceState({ ...history.state, entry }, '');
  return entry;
}
