import { readFileSync } from 'node:fs';
import type { Rule } from '../violation.ts';

export interface RuleMeaning {
  /** What must hold, in a sentence; that of docs/faults.md. */
  readonly rule: string;
  /** The promise of ARCHITECTURE.md that the rule watches over. */
  readonly promise: string;
  /** What a breach means to somebody who runs jobs. */
  readonly harm: string;
}

/** @throws Error when the documents do not know the rule or the promise */
export function meaningOf(rule: Rule, promise: string): RuleMeaning {
  return {
    rule: sentenceOf('docs/faults.md', rule),
    promise: sentenceOf('ARCHITECTURE.md', promise),
    harm: harms[rule],
  };
}

/** The text beside a name in a table of a document. */
function sentenceOf(document: string, name: string): string {
  const text = readFileSync(new URL(`../../../${document}`, import.meta.url), 'utf8');
  const sentence = new RegExp(`^\\| ${name} \\| (.+) \\|$`, 'm').exec(text)?.[1];
  if (sentence === undefined) throw new Error(`${document} has no row ${name}`);
  return sentence;
}

const harms: Readonly<Record<Rule, string>> = {
  C1: 'A job did not run at a time at which it had to, or ran too early or too late.',
  C2: 'A job ran that nothing had asked for, or before the database knew that it would.',
  C3: 'The same work was done twice: an invoice, for instance, was sent twice.',
  C4: 'Two runs worked at once where only one may, and can have spoilt each other’s data.',
  C5:
    'Something of a node was alive, or wrote, after its session had ended or its slot was given ' +
    'back: others may already do its work.',
  C6: 'The history is wrong: who looks later cannot tell what became of a tick.',
  C7: 'A row of the database changed in a way for which the program has no step.',
  C8: 'A job stands still, because a node that is gone, or a forgotten launch, still holds it.',
  C9: 'An operator was told that something is done, and it was not so.',
  C10: 'Work was due, a node could have done it, and none took it.',
  C11: 'A failed run was tried again at another time, or another number of times, than asked for.',
  C12: 'A limit that a job was given, such as a deadline or a number of runs, was not kept.',
};
