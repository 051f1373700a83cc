/** One thing that a database can show to be wrong: the promise, what it may mean, where to look. */
export interface VerifyRule {
  /** The promise of ARCHITECTURE.md that it breaks or is about. */
  readonly promise: string;
  readonly isWarning?: true;
  readonly meaning: string;
  readonly look: string;
}

/** What nodes do not do themselves. */
export const handMade = 'rows were changed, deleted or restored by hand';
