import type { Rule } from '../violation.ts';
import type { Draft } from './draft.ts';

/** One way to break a clean history, and the rule that must catch it. */
export interface Mutant {
  readonly rule: Rule;
  /** What the broken history shows. */
  readonly fact: string;
  readonly breakIt: (draft: Draft) => void;
}
