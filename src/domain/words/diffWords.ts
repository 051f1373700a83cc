import { isDeepStrictEqual } from 'node:util';
import type { JobDefinition } from '../jobDefinition.ts';
import { propertyOf } from './jobFlags.ts';
import { type FileValue, wordsOfDefinition } from './wordsOfDefinition.ts';

/** A word that two definitions have differently; null: one of them does not say it. */
interface WordChange {
  /** In camelCase. */
  readonly word: string;
  readonly before: FileValue | null;
  readonly after: FileValue | null;
}

/** The words that two definitions differ in. */
export function diffWords(before: JobDefinition, after: JobDefinition): WordChange[] {
  const [from, to] = [wordsOfDefinition(before), wordsOfDefinition(after)];
  const words = new Set([...from.keys(), ...to.keys()]);
  return [...words].flatMap((word) => {
    const change = { before: from.get(word) ?? null, after: to.get(word) ?? null };
    return isDeepStrictEqual(change.before, change.after)
      ? []
      : [{ word: propertyOf(word), ...change }];
  });
}
